/** The form of one return rule: which items it is about, and what it changes for them. */
import { Button, Checkbox, Group, Input, NumberInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import type * as z from 'zod'
import { decimalsOf } from '#domain/money.ts'
import { methodLabels, outcomeLabels } from '#features/returns/returns/return-policy.labels.ts'
import type { ReturnRule } from '#features/returns/returns/return-policy.schemas.ts'
import { exemptions, policyLimits, portalMethods, returnOutcomes } from '#features/returns/returns/returns.codes.ts'
import { mainShop } from '#features/returns/rma-languages/rma-languages.codes.ts'
import { rmaLanguages } from '#features/returns/rma-languages/rma-languages.contract.ts'
import { type Edit, Form, useEdit } from '#ui/kit/Form.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { localeNames, useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { RuleEditor } from '#ui/rules/RuleEditor.tsx'
import { exemptionWord } from './return-effects.client.ts'
import { returnRules } from './return-rules.contract.ts'
import { emptyRule, FormRule, withDestination, withWindow } from './return-rules.rules.ts'
import { ReturnRules } from './return-rules.schemas.ts'

type Values = z.output<typeof ReturnRule>

interface FormProps {
  rule: ReturnRule | null
  set: ReturnRules
  close: () => void
  remove: ((rule: ReturnRule) => void) | null
}

export function ReturnRuleForm({ rule, set, close, remove }: FormProps) {
  const t = useT()
  const seen = useRef(set)
  const [initial] = useState(() => rule ?? emptyRule(crypto.randomUUID()))
  const edit = useEdit({
    schema: FormRule,
    initial,
    save: values => {
      const { rules, version } = seen.current
      const known = rules.some(({ id }) => id === values.id)
      const next = known ? rules.map(one => (one.id === values.id ? values : one)) : [...rules, values]
      return send(returnRules.save, { body: { rules: next, version } })
    },
    refreshes: [returnRules.get],
    said: t('Rule saved. Try it before you switch it on.'),
    done: close,
    conflict: {
      schema: ReturnRules,
      values: fresh => {
        seen.current = fresh
        return fresh.rules.find(({ id }) => id === initial.id) ?? initial
      },
    },
  })
  const { currency } = useSignedIn().init.settings
  const wrong = edit.form.errors.conditions
  return (
    <Stack gap="lg">
      <Form edit={edit} {...(rule ? {} : { action: t('Add rule') })} cancel={close}>
        <TextInput label={t('Name')} data-autofocus={rule === null || undefined} {...edit.of('name')} />
        <Stack gap={4}>
          <Text size="sm" fw={500}>
            {t('Items that come back')}
          </Text>
          <RuleEditor
            kind="return"
            initial={edit.values.conditions}
            currency={currency}
            showErrors={Boolean(wrong)}
            onChange={json => edit.form.setFieldValue('conditions', { ...json, v: 1 })}
          />
          {wrong ? <Input.Error role="alert">{wrong}</Input.Error> : null}
        </Stack>
        <Effects edit={edit} currency={currency} />
        <Switch label={t('In use')} {...edit.of('active', 'checkbox')} />
      </Form>
      {rule && remove ? (
        <Group>
          <Button variant="subtle" color="brick" onClick={() => remove(rule)}>
            {t('Remove rule')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  )
}

function Effects({ edit, currency }: { edit: Edit<Values>; currency: string }) {
  const t = useT()
  const { effects } = edit.values
  const { errors } = edit.form
  const set = (change: Partial<Values['effects']>) => edit.form.setFieldValue('effects', { ...effects, ...change })
  const unit = 10 ** decimalsOf(currency)
  const { fee, refuse } = effects
  const feeKind = fee === null ? 'unchanged' : 'amount' in fee ? 'amount' : 'percent'
  return (
    <div>
      <SettingsSection title={t('Period')}>
        <Checkbox
          label={t('Own return window')}
          checked={effects.window_days !== null}
          onChange={event => set(withWindow(event.currentTarget.checked))}
        />
        {effects.window_days === null ? null : (
          <WholeNumberInput
            label={t('Customers may return for')}
            suffix={` ${t('days')}`}
            min={0}
            max={3_650}
            allowNegative={false}
            value={effects.window_days}
            error={errors['effects.window_days']}
            onChange={value => set({ window_days: Number(value) || 0 })}
          />
        )}
      </SettingsSection>
      <SettingsSection
        title={t('Refusal')}
        help={t('In the period of withdrawal a rule refuses only goods that the law excludes from it.')}
      >
        <Checkbox
          label={t('Refuse the return')}
          checked={refuse !== null}
          onChange={event => set({ refuse: event.currentTarget.checked ? { words: {}, exemption: null } : null })}
        />
        {refuse ? (
          <>
            <Words words={refuse.words} error={errors['effects.refuse.words']} set={words => set({ refuse: { ...refuse, words } })} />
            <NativeChoice
              label={t('Excluded by law')}
              value={refuse.exemption ?? 'none'}
              data={[
                { value: 'none' as const, label: t('No: refuse after the period of withdrawal') },
                ...exemptions.map(value => ({ value, label: exemptionWord(value) })),
              ]}
              choose={value => set({ refuse: { ...refuse, exemption: value === 'none' ? null : value } })}
            />
          </>
        ) : null}
      </SettingsSection>
      <SettingsSection title={t('Fee and approval')} help={t('Faults of the shop or the courier never cost the customer a fee.')}>
        <NativeChoice
          label={t('Fee of a return')}
          value={feeKind}
          data={[
            { value: 'unchanged', label: t('Not changed by this rule') },
            { value: 'amount', label: t('Amount') },
            { value: 'percent', label: t('Percentage of the items') },
          ]}
          choose={kind => set({ fee: kind === 'unchanged' ? null : kind === 'amount' ? { amount: 0 } : { percent: 0 } })}
        />
        {fee === null ? null : 'amount' in fee ? (
          <NumberInput
            label={t('Amount')}
            suffix={` ${currency}`}
            min={0}
            decimalScale={decimalsOf(currency)}
            allowNegative={false}
            value={fee.amount / unit}
            error={errors['effects.fee.amount']}
            onChange={value => set({ fee: { amount: Math.round((Number(value) || 0) * unit) } })}
          />
        ) : (
          <WholeNumberInput
            label={t('Percentage')}
            suffix=" %"
            min={0}
            max={100}
            allowNegative={false}
            value={fee.percent}
            error={errors['effects.fee.percent']}
            onChange={value => set({ fee: { percent: Number(value) || 0 } })}
          />
        )}
        <NativeChoice
          label={t('Approval')}
          value={effects.review ?? 'unchanged'}
          data={[
            { value: 'unchanged', label: t('Not changed by this rule') },
            { value: 'never', label: t('At once') },
            { value: 'always', label: t('By a person') },
          ]}
          choose={value => set({ review: value === 'unchanged' ? null : value })}
        />
        <Checkbox
          label={t('Customer keeps the item')}
          description={t('For a refund or credit: the money is paid back, without a label and a fee.')}
          checked={effects.keep}
          onChange={event => set({ keep: event.currentTarget.checked })}
        />
        <Checkbox label={t('Photo required')} checked={effects.photo} onChange={event => set({ photo: event.currentTarget.checked })} />
      </SettingsSection>
      <SettingsSection title={t('Only these are offered')} help={t('Without a choice the rule changes nothing here.')}>
        <Checkbox.Group
          label={t('Outcomes')}
          value={effects.outcomes ?? []}
          onChange={chosen => set({ outcomes: chosen.length === 0 ? null : returnOutcomes.filter(one => chosen.includes(one)) })}
        >
          <Group gap="md" mt={4}>
            {returnOutcomes.map(value => (
              <Checkbox key={value} value={value} label={t(outcomeLabels[value])} />
            ))}
          </Group>
        </Checkbox.Group>
        <Checkbox.Group
          label={t('Ways to send')}
          value={effects.methods ?? []}
          onChange={chosen => set({ methods: chosen.length === 0 ? null : portalMethods.filter(one => chosen.includes(one)) })}
        >
          <Group gap="md" mt={4}>
            {portalMethods.map(value => (
              <Checkbox key={value} value={value} label={t(methodLabels[value])} />
            ))}
          </Group>
        </Checkbox.Group>
      </SettingsSection>
      <SettingsSection
        title={t('Destination')}
        help={t('Where the item goes: a bin at the desk, and another address to which customers send it with a label of their own.')}
      >
        <TextInput
          label={t('Bin or shelf')}
          maxLength={policyLimits.bin}
          value={effects.destination?.bin ?? ''}
          onChange={event => set({ destination: withDestination(effects.destination, { bin: event.currentTarget.value }) })}
        />
        <Textarea
          label={t('Return address')}
          maxLength={policyLimits.words}
          autosize
          minRows={2}
          value={effects.destination?.address ?? ''}
          onChange={event => set({ destination: withDestination(effects.destination, { address: event.currentTarget.value }) })}
        />
      </SettingsSection>
      <SettingsSection title={t('Question')} help={t('Asked in the portal; the answer stands with the item until the customer is erased.')}>
        <Checkbox
          label={t('Ask a question')}
          checked={effects.question !== null}
          onChange={event => set({ question: event.currentTarget.checked ? { words: {}, required: true } : null })}
        />
        {effects.question ? (
          <AskedQuestion question={effects.question} error={errors['effects.question.words']} set={question => set({ question })} />
        ) : null}
      </SettingsSection>
      {errors.effects ? <Input.Error role="alert">{errors.effects}</Input.Error> : null}
    </div>
  )
}

function AskedQuestion({
  question,
  error,
  set,
}: {
  question: NonNullable<Values['effects']['question']>
  error: React.ReactNode
  set: (question: NonNullable<Values['effects']['question']>) => void
}) {
  const t = useT()
  return (
    <>
      <Words words={question.words} error={error} set={words => set({ ...question, words })} />
      <Checkbox
        label={t('Answer required')}
        checked={question.required}
        onChange={event => set({ ...question, required: event.currentTarget.checked })}
      />
    </>
  )
}

interface WordsProps {
  words: NonNullable<Values['effects']['refuse']>['words']
  error: React.ReactNode
  set: (words: WordsProps['words']) => void
}

/** One text for each language in which the portal is open, and for that of the company. */
function Words({ words, error, set }: WordsProps) {
  const t = useT()
  const { init } = useSignedIn()
  const portal = useCall(rmaLanguages.list, { shop: mainShop }, { fresh: 60_000 })
  const own = init.settings.locale
  const open = (portal.data?.rows ?? []).filter(one => one.enabled || words[one.language]).map(one => one.language)
  const languages = [own, ...open.filter(language => language !== own)]
  return (
    <>
      {languages.map(language => (
        <Textarea
          key={language}
          label={t('Text in {{language}}', { language: localeNames[language] })}
          maxLength={policyLimits.words}
          autosize
          minRows={2}
          value={words[language] ?? ''}
          error={language === own ? error : undefined}
          onChange={event => set({ ...words, [language]: event.currentTarget.value })}
        />
      ))}
    </>
  )
}
