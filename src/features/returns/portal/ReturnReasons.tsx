/** Why customers send things back: what they may choose, in which words, and what each reason asks for. */
import { Button, Group, Stack, Switch, Table, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import * as z from 'zod'
import { isKeyOf } from '#domain/objects.ts'
import { reasonWord } from '#features/returns/returns/return.labels.tsx'
import { knownReasons, reasonWords } from '#features/returns/returns/return-reasons.rules.ts'
import { evidences, faults, returnLimits, withdrawalReason } from '#features/returns/returns/returns.codes.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import { ReturnReason, ReturnReasonFields } from '#features/returns/returns/returns.schemas.ts'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RuleActions } from '#ui/kit/RuleActions.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { localeNames, useT } from '#ui/kit/translate.ts'
import { send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'

type Reason = z.output<typeof ReturnReason>
const refreshes = [returns.reasons]

export default function ReturnReasons() {
  const found = useCall(returns.reasons, {}, { live: ['return_portal'] })
  return (
    <QueryState of={found} shape="rows">
      {all => <Reasons all={all.filter(({ code }) => code !== withdrawalReason)} />}
    </QueryState>
  )
}

function useWords() {
  const t = useT()
  return {
    evidence: { off: t('Not asked for'), optional: t('May be added'), required: t('Required') },
    fault: { shop: t('The shop'), customer: t('The customer'), courier: t('The courier') },
  }
}

function Reasons({ all }: { all: readonly Reason[] }) {
  const t = useT()
  const { user } = useSignedIn()
  const words = useWords()
  const [open, setOpen] = useState<Reason | 'new' | null>(null)
  const order = useCommand((codes: string[]) => send(returns.orderReasons, { body: { codes } }), { refreshes })
  const move = (from: number, to: number) => {
    const codes = all.map(({ code }) => code)
    codes.splice(to, 0, ...codes.splice(from, 1))
    order.mutate(codes)
  }
  return (
    <Stack gap="md">
      <Group justify="space-between" align="start">
        <Text size="sm" c="dimmed" maw={640}>
          {t('Customers choose one for each item. No reason is asked of who withdraws from the contract.')}
        </Text>
        <Button
          leftSection={<IconPlus size={16} />}
          {...disabledBecause(all.length >= returnLimits.reasons - 1 && t('There are {{count}} already', { count: all.length }))}
          onClick={() => setOpen('new')}
        >
          {t('Add reason')}
        </Button>
      </Group>
      <Table.ScrollContainer minWidth={320}>
        <Table verticalSpacing="xs" aria-label={t('Reasons')}>
          <Table.Tbody>
            {all.map((reason, at) => (
              <Table.Tr key={reason.code}>
                <Table.Td w={32} className="num">
                  {at + 1}
                </Table.Td>
                <Table.Td>
                  <Group gap="xs">
                    <Text fw={500}>{reasonWord(reason, user.locale ?? 'en_GB')}</Text>
                    {reason.active ? null : <StateBadge tone="quiet">{t('Off')}</StateBadge>}
                  </Group>
                  <Text size="sm" c="dimmed">
                    {[
                      t('At fault: {{who}}', { who: words.fault[reason.fault] }),
                      reason.evidence_text === 'off' ? '' : `${t('Description')}: ${words.evidence[reason.evidence_text]}`,
                      reason.evidence_photo === 'off' ? '' : `${t('Photo')}: ${words.evidence[reason.evidence_photo]}`,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </Text>
                </Table.Td>
                <Table.Td ta="end">
                  <RuleActions
                    at={at}
                    count={all.length}
                    busy={order.isPending}
                    move={to => move(at, to)}
                    edit={() => setOpen(reason)}
                    name={reasonWord(reason, user.locale ?? 'en_GB')}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Drawer opened={open !== null} onClose={() => setOpen(null)} title={open === 'new' ? t('New reason') : t('Reason')}>
        {open ? <ReasonForm reason={open === 'new' ? null : open} all={all} close={() => setOpen(null)} /> : null}
      </Drawer>
    </Stack>
  )
}

/** What the code of a new reason is made of: small letters and digits of its first words, and a number where another one has it. */
function codeOf(words: Reason['words'], taken: readonly string[]): string {
  const written = Object.values(words).find(Boolean) ?? ''
  const plain = written
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 34)
  const code = plain || 'reason'
  for (let no = 2, one = code; ; one = `${code}_${no++}`) if (!taken.includes(one)) return one
}

interface FormProps {
  reason: Reason | null
  all: readonly Reason[]
  close: () => void
}

const fieldsOf = (reason: Reason | null): ReturnReasonFields => ({
  words: reason?.words ?? {},
  evidence_text: reason?.evidence_text ?? 'optional',
  evidence_photo: reason?.evidence_photo ?? 'off',
  fault: reason?.fault ?? 'customer',
  active: reason?.active ?? true,
})

function ReasonForm({ reason, all, close }: FormProps) {
  const t = useT()
  const words = useWords()
  const { init } = useSignedIn()
  const seen = useRef(reason?.version ?? 0)
  const isKnown = knownReasons.some(({ code }) => code === reason?.code)
  const edit = useEdit({
    schema: ReturnReasonFields,
    initial: fieldsOf(reason),
    save: values =>
      send(returns.saveReason, {
        code: reason?.code ?? codeOf(values.words, [...all.map(({ code }) => code), withdrawalReason]),
        body: { ...values, version: seen.current },
      }),
    refreshes,
    said: reason ? t('Reason saved') : t('Reason added'),
    done: close,
    conflict: {
      schema: z.array(ReturnReason),
      values: fresh => {
        const now = fresh.find(({ code }) => code === reason?.code) ?? null
        seen.current = now?.version ?? 0
        return fieldsOf(now ?? reason)
      },
    },
  })
  const reset = useSend(returns.resetReason, {
    refreshes,
    said: isKnown ? t('The reason is as it was') : t('Reason removed'),
    done: close,
  })
  const { values, form } = edit
  const own = reason && isKeyOf(reasonWords, reason.code) ? t(reasonWords[reason.code]) : ''
  const languages = [init.settings.locale, ...init.settings.languages.filter(one => one !== init.settings.locale)]
  return (
    <Stack gap="lg">
      <Form edit={edit} {...(reason ? {} : { action: t('Add reason') })} cancel={close}>
        {languages.map((language, place) => (
          <TextInput
            key={language}
            label={t('Words in {{language}}', { language: localeNames[language] })}
            {...(place === 0 && isKnown && { description: t('Empty: {{words}}, in each language its own.', { words: own }) })}
            maxLength={returnLimits.reasonWords}
            data-autofocus={place === 0 || undefined}
            value={values.words[language] ?? ''}
            error={place === 0 ? form.errors.words : undefined}
            onChange={event => form.setFieldValue('words', { ...values.words, [language]: event.currentTarget.value })}
          />
        ))}
        <NativeChoice
          label={t('At fault')}
          description={t('Where it is the shop or the courier, the customer pays no fee.')}
          data={faults.map(value => ({ value, label: words.fault[value] }))}
          value={values.fault}
          choose={fault => form.setFieldValue('fault', fault)}
        />
        <NativeChoice
          label={t('Description')}
          data={evidences.map(value => ({ value, label: words.evidence[value] }))}
          value={values.evidence_text}
          choose={one => form.setFieldValue('evidence_text', one)}
        />
        <NativeChoice
          label={t('Photo')}
          data={evidences.map(value => ({ value, label: words.evidence[value] }))}
          value={values.evidence_photo}
          choose={one => form.setFieldValue('evidence_photo', one)}
        />
        <Switch label={t('In use')} description={t('Off: it cannot be chosen.')} {...edit.of('active', 'checkbox')} />
      </Form>
      {reason && reason.version > 0 ? (
        <Group>
          <Button variant="subtle" color="brick" loading={reset.isPending} onClick={() => reset.mutate({ code: reason.code })}>
            {isKnown ? t('Use the standard again') : t('Remove reason')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  )
}
