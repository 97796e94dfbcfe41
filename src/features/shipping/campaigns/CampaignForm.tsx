/** The form of a campaign: words and picture by language and variant, period, audience, test; beside it the preview and the figures. */

import {
  Alert,
  Button,
  FileButton,
  Group,
  Input,
  MultiSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Switch,
  Table,
  Tabs,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useRef, useState } from 'react'
import * as z from 'zod'
import { type Locale, limits, locales } from '#contract/limits.ts'
import { countryCodes } from '#domain/countries.ts'
import { recordOf } from '#domain/objects.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { type TrackingStage, trackingStages } from '#domain/tracking-stages.ts'
import { company } from '#features/company/companies/companies.contract.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit, useOpenWrong } from '#ui/kit/Form.tsx'
import { bytes, compare, country, instantOf, localOf, number, percent } from '#ui/kit/format.ts'
import { LocalTimeInput } from '#ui/kit/LocalTimeInput.tsx'
import { errorSentence, toastInfo } from '#ui/kit/toasts.ts'
import { isLocale, localeNames, useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { CallError } from '#ui/query/call-error.ts'
import { send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { RuleEditor } from '#ui/rules/RuleEditor.tsx'
import style from '#ui/rules/RuleForm.module.css'
import { CampaignPicture, CampaignPreview } from './CampaignPreview.tsx'
import slot from './Campaigns.module.css'
import { type CampaignVariant, campaignVariants } from './campaigns.codes.ts'
import { campaigns } from './campaigns.contract.ts'
import { CampaignStateBadge, stageLabels, variantLabels } from './campaigns.labels.tsx'
import { Campaign, CampaignForm as CampaignFormSchema, type CampaignWords } from './campaigns.schemas.ts'

interface Values extends Record<string, unknown> {
  title: string
  from_at: string
  to_at: string | null
  stages: TrackingStage[]
  locales: Locale[]
  countries: string[]
  agent_codes: string[]
  conditions: Record<string, unknown>
  priority: number | ''
  has_test: boolean
  ab_share: number | ''
  link: string
  contents: Record<Locale, Record<CampaignVariant, CampaignWords>>
}

const noWords: CampaignWords = { headline: '', text: '', button: '', alt: '' }

const valuesOf = (campaign: Campaign | null, own: Locale): Values => ({
  title: campaign?.title ?? '',
  from_at: campaign?.from_at ?? new Date().toISOString(),
  to_at: campaign?.to_at ?? null,
  stages: campaign?.stages ?? trackingStages.filter(stage => stage !== 'problem'),
  locales: campaign?.locales ?? [own],
  countries: campaign?.countries ?? [],
  agent_codes: campaign?.agent_codes ?? [],
  conditions: campaign?.conditions ?? { v: 1, all: [] },
  priority: campaign?.priority ?? 0,
  has_test: campaign ? campaign.ab_share !== null : false,
  ab_share: campaign?.ab_share ?? 50,
  link: campaign?.link ?? '',
  contents: recordOf(locales, locale =>
    recordOf(campaignVariants, variant => {
      const found = campaign?.contents.find(one => one.locale === locale && one.variant === variant)
      return found ? { headline: found.headline, text: found.text, button: found.button, alt: found.alt } : noWords
    }),
  ),
})

/** Words of languages and variants that are not used are not sent. */
const bodyOf = ({ has_test, ab_share, contents, priority, ...values }: Values) => ({
  ...values,
  priority: priority === '' ? 0 : priority,
  ab_share: has_test ? (ab_share === '' ? 50 : ab_share) : null,
  contents: Object.fromEntries(values.locales.map(locale => [locale, has_test ? contents[locale] : { a: contents[locale].a }])),
})
const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values))
  .pipe(CampaignFormSchema)
  .refine(({ conditions }) => parseRule(conditions, 'campaign').rule !== undefined, {
    path: ['conditions'],
    message: 'Complete the conditions',
  })
const parsed = (values: Values) => CampaignFormSchema.parse(bodyOf(values))
const refreshes = [campaigns.search, campaigns.get]

interface FormProps {
  campaign: Campaign | null
  close: () => void
  /** A row of the list came, changed or went. */
  changed: () => void
  made?: (campaign: Campaign) => void
}

export function CampaignForm({ campaign, close, changed, made }: FormProps) {
  const t = useT()
  const { init } = useSignedIn()
  const config = useCall(company.config, {}, { fresh: 600_000 })
  const version = useRef(campaign?.version ?? 0)
  const client_id = useRef(crypto.randomUUID())
  const [tab, setTab] = useState<Locale | null>(null)
  const [variant, setVariant] = useState<CampaignVariant>('a')
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(campaign, init.settings.locale),
    save: values =>
      campaign
        ? send(campaigns.update, { id: campaign.id, body: { ...parsed(values), version: version.current } })
        : send(campaigns.create, { body: { ...parsed(values), client_id: client_id.current } }),
    refreshes,
    said: t('Campaign saved'),
    done: saved => {
      version.current = saved.version
      changed()
      made?.(saved)
    },
    conflict: {
      schema: Campaign,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh, init.settings.locale)
      },
    },
  })
  const { form, values } = edit
  const used = locales.filter(locale => values.locales.includes(locale))
  const isWrong = (locale: Locale) => Object.keys(form.errors).some(field => field.startsWith(`contents.${locale}.`))
  const locale = tab !== null && used.includes(tab) ? tab : (used[0] ?? init.settings.locale)
  const shown = values.has_test ? variant : 'a'
  useOpenWrong(
    edit,
    used
      .flatMap(one => campaignVariants.map(of => `${one}.${of}` as const))
      .filter(part => Object.keys(form.errors).some(field => field.startsWith(`contents.${part}.`))),
    `${locale}.${shown}`,
    part => {
      setTab(used.find(one => part.startsWith(one)) ?? null)
      setVariant(part.endsWith('b') ? 'b' : 'a')
    },
  )
  const pictureAt = (at: Locale, of: CampaignVariant) =>
    campaign?.contents.find(one => one.locale === at && one.variant === of)?.picture ?? null
  const isReady = (at: Locale) =>
    (values.has_test ? campaignVariants : (['a'] as const)).every(of => pictureAt(at, of) !== null && values.contents[at][of].alt !== '')
  const place = `contents.${locale}.${shown}`
  const words = values.contents[locale][shown]
  const isFinal = campaign?.is_final === true
  const whole = { allowNegative: false, hideControls: true } as const
  const ruleError = form.errors.conditions
  return (
    <div className={style.form}>
      <Stack gap="lg" className={style.editor}>
        {campaign ? (
          <StateActions
            campaign={campaign}
            isDirty={edit.dirty}
            close={close}
            done={next => {
              version.current = next.version
              changed()
            }}
            refused={fields => form.setErrors(fields)}
          />
        ) : null}
        <fieldset {...disabledBecause(isFinal && t('It was ended and cannot be changed. Its figures stay.'))} className={slot.fields}>
          <Form edit={edit} {...(campaign ? {} : { action: t('Save draft'), cancel: close })}>
            <TextInput
              label={t('Title')}
              description={t('Only colleagues see it.')}
              data-autofocus={campaign === null || undefined}
              {...edit.of('title')}
            />
            <MultiSelect
              label={t('Languages')}
              description={t('Customers who read another language do not see it.')}
              data={locales.map(value => ({ value, label: localeNames[value] }))}
              {...edit.of('locales')}
            />
            <Switch
              label={t('Test two variants')}
              description={t('The same order always sees the same variant.')}
              {...edit.of('has_test', 'checkbox')}
            />
            {values.has_test ? (
              <WholeNumberInput
                label={t('Share that sees variant B')}
                {...whole}
                min={1}
                max={99}
                suffix=" %"
                maw={240}
                {...edit.of('ab_share')}
              />
            ) : null}
            <Tabs value={locale} onChange={value => value !== null && isLocale(value) && setTab(value)} keepMounted={false}>
              <Tabs.List>
                {used.map(one => (
                  <Tabs.Tab key={one} value={one} {...(isWrong(one) && { c: 'brick' })}>
                    {localeNames[one]}
                    {isReady(one) ? ' ✓' : ''}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value={locale} pt="sm">
                <Stack gap="sm">
                  {values.has_test ? (
                    <SegmentedControl
                      aria-label={t('Variant')}
                      data={campaignVariants.map(value => ({ value, label: t(variantLabels[value]) }))}
                      value={shown}
                      onChange={value => setVariant(value === 'b' ? 'b' : 'a')}
                    />
                  ) : null}
                  <Picture
                    campaign={campaign}
                    locale={locale}
                    variant={shown}
                    alt={words.alt}
                    error={form.errors[`${place}.picture`]}
                    changed={() => {
                      form.clearFieldError(`${place}.picture`)
                      changed()
                    }}
                  />
                  <TextInput
                    key={`${place}.alt`}
                    label={t('Alt text')}
                    description={t('What the image shows, for those who cannot see it. Needed to publish.')}
                    {...form.getInputProps(`${place}.alt`)}
                  />
                  <TextInput key={`${place}.headline`} label={t('Headline')} {...form.getInputProps(`${place}.headline`)} />
                  <Textarea key={`${place}.text`} label={t('Text')} autosize minRows={2} {...form.getInputProps(`${place}.text`)} />
                  <TextInput
                    key={`${place}.button`}
                    label={t('Button')}
                    description={t('Empty: only image and headline lead to the link.')}
                    {...form.getInputProps(`${place}.button`)}
                  />
                </Stack>
              </Tabs.Panel>
            </Tabs>
            <TextInput
              label={t('Link')}
              description={t('For example https://shop.example/sale?utm_source=tracking. Empty: nothing to click.')}
              type="url"
              inputMode="url"
              spellCheck={false}
              {...edit.of('link')}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <LocalTimeInput
                label={t('From')}
                value={localOf(values.from_at)}
                error={form.errors.from_at}
                onChange={event => form.setFieldValue('from_at', instantOf(event.currentTarget.value) ?? values.from_at)}
              />
              <LocalTimeInput
                label={t('Until')}
                description={t('Empty: without an end.')}
                value={values.to_at === null ? '' : localOf(values.to_at)}
                error={form.errors.to_at}
                onChange={event => form.setFieldValue('to_at', instantOf(event.currentTarget.value))}
              />
            </SimpleGrid>
            <MultiSelect
              label={t('Stages')}
              description={t('Where the order stands when it is shown.')}
              data={trackingStages.map(value => ({ value, label: t(stageLabels[value]) }))}
              {...edit.of('stages')}
            />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <MultiSelect
                label={t('Countries')}
                description={t('Empty: all countries.')}
                data={countryCodes.map(value => ({ value, label: country(value) })).toSorted((a, b) => compare(a.label, b.label))}
                searchable
                clearable
                {...edit.of('countries')}
              />
              <MultiSelect
                label={t('Couriers')}
                description={t('Empty: all couriers.')}
                data={init.ParcelAgentCode.map(agent => ({ value: agent.agent_code, label: t(agent.name) }))}
                searchable
                clearable
                {...edit.of('agent_codes')}
              />
            </SimpleGrid>
            <Stack gap={4}>
              <Text size="sm" fw={500}>
                {t('Only orders that also meet')}
              </Text>
              <RuleEditor
                kind="campaign"
                initial={values.conditions}
                currency={config.data?.currency ?? init.settings.currency}
                countries={config.data ? [config.data.sender.country] : []}
                showErrors={Boolean(ruleError)}
                onChange={json => form.setFieldValue('conditions', json)}
              />
              {ruleError ? <Input.Error role="alert">{ruleError}</Input.Error> : null}
            </Stack>
            <WholeNumberInput
              label={t('Priority')}
              description={t('The highest number is shown; with the same number, the campaign that started last.')}
              {...whole}
              min={0}
              max={100}
              maw={240}
              {...edit.of('priority')}
            />
          </Form>
        </fieldset>
      </Stack>
      <Stack gap="lg" className={slot.aside}>
        <CampaignPreview
          id={campaign?.id ?? null}
          public_key={campaign?.public_key ?? null}
          locale={locale}
          variant={shown}
          picture={pictureAt(locale, shown)}
          words={words}
          stages={values.stages}
          has_link={values.link !== ''}
        />
        {campaign && (campaign.shown > 0 || campaign.state !== 'draft') ? <FiguresTable campaign={campaign} /> : null}
      </Stack>
    </div>
  )
}

function FiguresTable({ campaign }: { campaign: Campaign }) {
  const t = useT()
  return (
    <Stack gap="xs" component="section" aria-label={t('Figures')}>
      <Text fw={600}>{t('Figures')}</Text>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Variant')}</Table.Th>
            <Table.Th ta="end">{t('Shown')}</Table.Th>
            <Table.Th ta="end">{t('Clicked')}</Table.Th>
            <Table.Th ta="end">{t('Rate')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {campaign.figures.map(({ variant, shown, clicked, rate }) => (
            <Table.Tr key={variant}>
              <Table.Td>{t(variantLabels[variant])}</Table.Td>
              <Table.Td ta="end">{number(shown)}</Table.Td>
              <Table.Td ta="end">{number(clicked)}</Table.Td>
              <Table.Td ta="end">{percent(rate, 1)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed">
        {t('Counted once for each order and day.')}
      </Text>
    </Stack>
  )
}

interface ActionsProps {
  campaign: Campaign
  isDirty: boolean
  close: () => void
  done: (campaign: Campaign) => void
  refused: (fields: Record<string, string>) => void
}

function StateActions({ campaign, isDirty, close, done, refused }: ActionsProps) {
  const t = useT()
  const [refusal, setRefusal] = useState<string | null>(null)
  const { id, state } = campaign
  const turn = useCommand((active: 'true' | 'false') => send(campaigns.setActive, { id, active }), {
    quiet: true,
    refreshes,
    done: next => {
      setRefusal(null)
      done(next)
    },
  })
  const change = (active: 'true' | 'false') =>
    turn.mutateAsync(active).catch((error: unknown) => {
      setRefusal(errorSentence(error))
      if (error instanceof CallError)
        refused(Object.fromEntries(Object.entries(error.fields).map(([field, sentence]) => [field, t(sentence)])))
    })
  const remove = useSend(campaigns.remove, { refreshes: [campaigns.search] })
  const askRemove = async () => {
    const sure = await confirm(removal(campaign, t))
    if (!sure) return
    await remove.mutateAsync({ id })
    done(campaign)
    close()
  }
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <CampaignStateBadge state={state} />
        {campaign.is_final ? null : (
          <>
            {state === 'ended' ? null : state === 'draft' || state === 'paused' ? (
              <Button
                variant={isDirty ? 'default' : 'filled'}
                {...disabledBecause(isDirty && t('Save the changes first.'))}
                loading={turn.isPending}
                onClick={() => void change('true')}
              >
                {state === 'draft' ? t('Publish') : t('Resume')}
              </Button>
            ) : (
              <Button variant="default" loading={turn.isPending} onClick={() => void change('false')}>
                {t('Pause')}
              </Button>
            )}
            <Button variant="subtle" color="brick" loading={remove.isPending} onClick={() => void askRemove()}>
              {removal(campaign, t).action}
            </Button>
          </>
        )}
      </Group>
      {refusal === null ? null : (
        <Alert color="brick" role="alert">
          {refusal}
        </Alert>
      )}
      {campaign.is_final ? (
        <Text size="sm" c="dimmed">
          {t('It was ended and cannot be changed. Its figures stay.')}
        </Text>
      ) : null}
      {campaign.broken ? (
        <Alert color="brick">{t('Its conditions cannot be read, so that no order sees it. Write them anew.')}</Alert>
      ) : null}
    </Stack>
  )
}

/** What removing means for a campaign, as the question asks it. */
export function removal(
  { title, state, shown, clicked }: Pick<Campaign, 'title' | 'state' | 'shown' | 'clicked'>,
  t: ReturnType<typeof useT>,
) {
  const goes = state === 'draft' || (state !== 'active' && shown + clicked === 0)
  return goes
    ? {
        title: t('Remove {{name}}?', { name: title }),
        body: t('The history of settings can bring its words back, but not its images.'),
        action: t('Remove campaign'),
        danger: true,
      }
    : {
        title: t('End {{name}}?', { name: title }),
        body: t('It is not shown any more and cannot be started again. Its figures stay.'),
        action: t('End campaign'),
        danger: true,
      }
}

interface PictureProps {
  campaign: Campaign | null
  locale: Locale
  variant: CampaignVariant
  alt: string
  error: React.ReactNode
  changed: () => void
}

function Picture({ campaign, locale, variant, alt, error, changed }: PictureProps) {
  const t = useT()
  const upload = useSend(campaigns.setPicture, { refreshes, said: t('Image saved'), done: changed })
  const remove = useSend(campaigns.removePicture, { refreshes, said: t('Image removed'), done: changed })
  if (!campaign)
    return (
      <Text size="sm" c="dimmed">
        {t('Save the draft first, then add images.')}
      </Text>
    )
  const { id, public_key } = campaign
  const picture = campaign.contents.find(one => one.locale === locale && one.variant === variant)?.picture ?? null
  const take = (file: File | null) => {
    if (!file) return
    if (file.size > limits.picture) {
      toastInfo(t('{{name}} is larger than {{limit}}', { name: file.name, limit: bytes(limits.picture) }))
      return
    }
    upload.mutate({ id, locale, variant, upload: file })
  }
  return (
    <Stack gap="xs" role="group" aria-label={t('Image')}>
      <div className={slot.choice}>
        <CampaignPicture public_key={public_key} locale={locale} variant={variant} picture={picture} alt={alt} />
      </div>
      {error ? <Input.Error role="alert">{error}</Input.Error> : null}
      <Group gap="xs">
        <FileButton onChange={take} accept="image/jpeg,image/png,image/webp,image/avif,image/gif">
          {props => (
            <Button {...props} variant="default" loading={upload.isPending}>
              {picture === null ? t('Add image') : t('Replace image')}
            </Button>
          )}
        </FileButton>
        {picture === null ? null : (
          <Button variant="subtle" color="brick" loading={remove.isPending} onClick={() => remove.mutate({ id, locale, variant })}>
            {t('Remove image')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t('1400 × 600 pixels or larger; it is cropped around its middle.')}
      </Text>
    </Stack>
  )
}
