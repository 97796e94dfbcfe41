/** Company settings: branding, sender address, warehouse network and station rules. */
import {
  Alert,
  Button,
  Checkbox,
  Chip,
  ColorInput,
  FileButton,
  Group,
  Input,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useRef, useState } from 'react'
import * as z from 'zod'
import { type Locale, limits } from '#contract/limits.ts'
import { countryCodes } from '#domain/countries.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Edit, Form, useEdit, useOpenWrong } from '#ui/kit/Form.tsx'
import { compare, country, instant, weekday } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { PhoneInput } from '#ui/kit/PhoneInput.tsx'
import { PostcodeInput } from '#ui/kit/PostcodeInput.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { isLocale, localeNames, localeTag, useLocale, useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { company } from './companies.contract.ts'
import { CompanyConfig, CompanyConfigChange } from './companies.schemas.ts'

export function CompanyConfigScreen() {
  const t = useT()
  const config = useCall(company.config, {})
  return (
    <Page title={t('Company')} narrow>
      <QueryState of={config} shape="form">
        {answer => <CompanyForm key={answer.id} config={answer} />}
      </QueryState>
    </Page>
  )
}

type Values = Omit<CompanyConfig, 'color' | 'gs1_prefix' | 'home_country'> & {
  color: string
  gs1_prefix: string
  home_country: string
  packing_ip_confirmed: boolean
}

const valuesOf = (config: CompanyConfig): Values => ({
  ...config,
  color: config.color ?? '',
  gs1_prefix: config.gs1_prefix ?? '',
  home_country: config.home_country ?? '',
  packing_ip_confirmed: false,
})

/** Converts the form to a request: an empty field is null, and read-only fields are left out. */
const bodyOf = (values: Values, version: number) => {
  const {
    id: _id,
    code: _code,
    is_main: _main,
    has_logo: _logo,
    changed_at: _at,
    changed_by: _by,
    your_ip: _ip,
    packing_ip_matches: _m,
    ...sent
  } = values
  return {
    ...sent,
    color: values.color === '' ? null : values.color,
    gs1_prefix: values.gs1_prefix === '' ? null : values.gs1_prefix,
    home_country: values.home_country === '' ? null : values.home_country,
    version,
  }
}
const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values, 1))
  .pipe(CompanyConfigChange)

function CompanyForm({ config }: { config: CompanyConfig }) {
  const t = useT()
  // Version at which this form was opened: a background refresh must not make an old form look current.
  const version = useRef(config.version)
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(config),
    save: values => send(company.setConfig, { body: bodyOf(values, version.current) }),
    refreshes: [company.config],
    said: t('Company saved'),
    undo: async (answer, before) => {
      const back = await send(company.setConfig, { body: bodyOf(before, answer.version) })
      version.current = back.version
    },
    done: answer => {
      version.current = answer.version
    },
    conflict: {
      schema: CompanyConfig,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const currencies = useMemo(() => {
    const names = new Intl.DisplayNames(localeTag(), { type: 'currency' })
    return Intl.supportedValuesOf('currency').map(code => ({ value: code, label: `${code} – ${names.of(code)}` }))
  }, [])
  const countries = useMemo(
    () => countryCodes.map(code => ({ value: code, label: country(code) })).sort((one, other) => compare(one.label, other.label)),
    [],
  )
  const days = [1, 2, 3, 4, 5, 6, 7].map(day => ({ value: String(day), label: weekday(day) }))
  const sender = (field: string) => edit.form.getInputProps(`sender.${field}`)
  const select = { searchable: true, maxDropdownHeight: 280 } as const

  return (
    <Form
      edit={edit}
      note={
        config.changed_at && config.changed_by
          ? t('Saved by {{name}}, {{time}}', { name: config.changed_by, time: instant(config.changed_at) })
          : undefined
      }
    >
      <div>
        <SettingsSection title={t('Branding')} help={t('Shown in the top bar, on labels and on the tracking page.')}>
          <TextInput label={t('Name')} {...edit.of('name')} />
          <TextInput
            label={t('Code')}
            description={t('The first part of the address. It stays as it is.')}
            value={config.code}
            readOnly
            variant="filled"
          />
          <Logo
            config={config}
            changed={next => {
              version.current = next
            }}
          />
          <ColorInput
            label={t('Colour')}
            placeholder="#14597a"
            format="hex"
            fixOnBlur={false}
            withEyeDropper={false}
            {...edit.of('color')}
          />
        </SettingsSection>

        <SettingsSection
          title={t('Sender')}
          help={t('The address on labels and slips. Couriers bring back there what they cannot deliver.')}
        >
          <TextInput label={t('Name')} autoComplete="organization" {...sender('name')} />
          <TextInput label={t('Address')} autoComplete="address-line1" {...sender('address1')} />
          <TextInput label={t('Address, second line')} autoComplete="address-line2" {...sender('address2')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <PostcodeInput label={t('Postcode')} country={edit.values.sender.country} autoComplete="postal-code" {...sender('postcode')} />
            <TextInput label={t('City')} autoComplete="address-level2" {...sender('city')} />
          </SimpleGrid>
          <Select label={t('Country')} data={countries} {...select} {...sender('country')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <PhoneInput label={t('Phone')} country={edit.values.home_country} {...sender('phone')} />
            <TextInput label={t('E-mail')} type="email" {...sender('email')} />
          </SimpleGrid>
          <TextInput label={t('VAT number')} {...edit.of('vat_no')} />
        </SettingsSection>

        <SettingsSection title={t('For customers')} help={t('How recipients of parcels reach the shop.')}>
          <TextInput
            label={t('Home page')}
            description={t('Where a language has none of its own.')}
            type="url"
            placeholder="https://"
            {...edit.of('homepage')}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <TextInput label={t('E-mail')} type="email" {...edit.of('support_email')} />
            <PhoneInput label={t('Phone')} country={edit.values.home_country} {...edit.of('support_phone')} />
          </SimpleGrid>
          <TextInput
            label={t('Order link in the shop')}
            description={t('A link; {order_no} and {external_id} are filled in.')}
            type="url"
            placeholder="https://"
            {...edit.of('cms_link')}
          />
        </SettingsSection>

        <ByLanguage edit={edit} />

        <SettingsSection title={t('Language, money and clock')} help={t('For everyone who has not chosen otherwise, and for documents.')}>
          <Select
            label={t('Language')}
            data={edit.values.languages.map(one => ({ value: one, label: localeNames[one] }))}
            {...select}
            searchable={false}
            {...edit.of('locale')}
          />
          <Select label={t('Currency')} data={currencies} {...select} {...edit.of('currency')} />
          <Select label={t('Time zone')} data={Intl.supportedValuesOf('timeZone')} {...select} {...edit.of('time_zone')} />
        </SettingsSection>

        <SettingsSection
          title={t('Warehouse network')}
          help={t('Packing, punch clock and printers work only from addresses that match. Empty: from nowhere.')}
        >
          <IpPattern edit={edit} config={config} />
        </SettingsSection>

        <SettingsSection title={t('Sign-in')} help={t('A second factor is a code from an app or a passkey, besides the password.')}>
          <Select
            label={t('Second factor')}
            description={t('Who has none sets one up at a sign-in after the days of grace. Badges and PINs stay.')}
            data={[
              { value: 'off', label: t('As each person chooses') },
              { value: 'admins', label: t('Needed by administrators') },
              { value: 'everyone', label: t('Needed by everyone, except at shared devices') },
            ]}
            {...edit.of('second_factor')}
          />
          {edit.values.second_factor === 'off' ? null : (
            <WholeNumberInput
              label={t('Days of grace')}
              description={t('So long people can still sign in without one, and see how many days are left. 0: none.')}
              min={0}
              max={90}
              {...edit.of('second_factor_days')}
            />
          )}
        </SettingsSection>

        <SettingsSection
          title={t('Tracking numbers')}
          help={t('With a prefix the own courier’s labels carry SSCC numbers; without one, plain numbers of our own.')}
        >
          <TextInput
            label={t('GS1 company prefix')}
            description={t('7 to 10 digits, as your GS1 organisation gave it')}
            inputMode="numeric"
            {...edit.of('gs1_prefix')}
          />
        </SettingsSection>

        <SettingsSection title={t('Shipping days')} help={t('From these follows the day by which an order leaves.')}>
          <TextInput
            label={t('Cut-off')}
            description={t('Orders placed before it leave the same day.')}
            placeholder="16:00"
            inputMode="numeric"
            styles={{ wrapper: { maxWidth: '10rem' } }}
            {...edit.of('cut_off')}
          />
          <Input.Wrapper label={t('Working days')} labelElement="div" error={edit.form.errors.working_days}>
            <Chip.Group
              multiple
              value={edit.values.working_days.map(String)}
              onChange={chosen => edit.form.setFieldValue('working_days', chosen.map(Number).sort())}
            >
              <Group gap={8} mt={4}>
                {days.map(day => (
                  <Chip key={day.value} value={day.value} size="sm">
                    {day.label}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
          </Input.Wrapper>
          <WholeNumberInput
            label={t('Wait before release')}
            description={t('Seconds between import and release to the warehouse')}
            min={0}
            max={86_400}
            styles={{ wrapper: { maxWidth: '10rem' } }}
            {...edit.of('release_delay_s')}
          />
          <WholeNumberInput
            label={t('Close orders')}
            description={t('Days after the last parcel has arrived or come back')}
            min={0}
            max={365}
            styles={{ wrapper: { maxWidth: '10rem' } }}
            {...edit.of('close_after_days')}
          />
          <Select
            label={t('When items are missing')}
            description={t('What becomes of the order. A pick list may say something else.')}
            data={[
              { value: 'ask', label: t('Someone decides') },
              { value: 'wait', label: t('The order waits') },
              { value: 'ship_partial', label: t('Ships without the missing items') },
              { value: 'ask_customer', label: t('The order waits for the customer') },
              { value: 'cancel_line', label: t('They are cancelled') },
            ]}
            {...edit.of('on_short')}
          />
        </SettingsSection>

        {config.is_main ? (
          <SettingsSection title={t('Shops of the warehouse')} help={t('What shops see of the people who work here.')}>
            <Switch label={t('Shops see the first names of the staff in timelines')} {...edit.of('first_names_for_shops', 'checkbox')} />
          </SettingsSection>
        ) : null}
      </div>
    </Form>
  )
}

/** What differs by language: each falls back to the general value where it is empty. */
function ByLanguage({ edit }: { edit: Edit<Values> }) {
  const t = useT()
  const own = useLocale()
  const { languages } = edit.values
  const [chosen, setChosen] = useState<Locale>(own)
  const shown = languages.includes(chosen) ? chosen : (languages[0] ?? own)
  const { errors } = edit.form
  useOpenWrong(
    edit,
    languages.filter(one => errors[`homepages.${one}`] || errors[`invoice_footers.${one}`]),
    shown,
    setChosen,
  )
  return (
    <SettingsSection
      title={t('By language')}
      help={t('The home page is shown on the tracking page, in e-mails and on papers; the last lines are printed on invoices.')}
    >
      <SegmentedControl
        mb="sm"
        aria-label={t('Language')}
        data={languages.map(one => ({ value: one, label: localeNames[one] }))}
        value={shown}
        onChange={next => isLocale(next) && setChosen(next)}
      />
      <TextInput
        key={`page ${shown}`}
        label={t('Home page in this language')}
        type="url"
        placeholder={edit.values.homepage || 'https://'}
        {...edit.form.getInputProps(`homepages.${shown}`)}
        value={edit.values.homepages[shown] ?? ''}
      />
      <Textarea
        key={`footer ${shown}`}
        label={t('Last lines of invoices')}
        description={t('Payment terms, bank account, a word of thanks.')}
        autosize
        minRows={3}
        {...edit.form.getInputProps(`invoice_footers.${shown}`)}
        value={edit.values.invoice_footers[shown] ?? ''}
      />
    </SettingsSection>
  )
}

/** The pattern with its test result beside it: a wrong one locks all stations, so the form warns before saving. */
function IpPattern({ edit, config }: { edit: Edit<Values>; config: CompanyConfig }) {
  const t = useT()
  const { packing_ip_pattern: written } = edit.values
  const [asked] = useDebouncedValue(written, 250)
  const check = useCall(company.checkIpPattern, { body: { pattern: asked } }, { keep: true, enabled: asked.length <= limits.pattern })
  const answer = asked === written ? check.data : undefined
  const ip = answer?.ip ?? config.your_ip
  const changed = written !== config.packing_ip_pattern
  return (
    <Stack gap="xs">
      <Textarea
        label={t('Packing address pattern')}
        description={t('A regular expression for the whole address; several addresses with | between them.')}
        autosize
        minRows={1}
        maxRows={4}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        placeholder="203\.0\.113\.7|2001:db8::.*"
        {...edit.of('packing_ip_pattern')}
        onChange={event => edit.form.setFieldValue('packing_ip_pattern', event.currentTarget.value.replace(/\s/g, ''))}
      />
      <Group gap="xs" role="status">
        <Text size="sm">{t('Your address is {{ip}}.', { ip })}</Text>
        {answer ? (
          !answer.valid && written !== '' ? (
            <StateBadge tone="stop">{t('Not a pattern')}</StateBadge>
          ) : answer.matches ? (
            <StateBadge tone="done">{t('Matches')}</StateBadge>
          ) : (
            <StateBadge tone="soon">{t('No match')}</StateBadge>
          )
        ) : null}
        {answer && !answer.matches ? (
          <Button
            size="compact-sm"
            variant="default"
            // A blur would validate and move this button away from under the pointer.
            onMouseDown={event => event.preventDefault()}
            onClick={() => edit.form.setFieldValue('packing_ip_pattern', withAddress(written, ip))}
          >
            {t('Add my address')}
          </Button>
        ) : null}
      </Group>
      {changed && answer && (answer.valid || written === '') && !answer.matches ? (
        <Alert color="amber" variant="light">
          <Checkbox label={t('Save it anyway: this place is not the warehouse')} {...edit.of('packing_ip_confirmed', 'checkbox')} />
        </Alert>
      ) : null}
    </Stack>
  )
}

const withAddress = (pattern: string, ip: string): string => {
  const literal = ip.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&')
  return pattern === '' ? literal : `${pattern}|${literal}`
}

function Logo({ config, changed }: { config: CompanyConfig; changed: (version: number) => void }) {
  const t = useT()
  const done = ({ version }: { version: number }) => changed(version)
  const set = useSend(company.setLogo, { refreshes: [company.config], said: t('Logo saved'), done })
  const remove = useSend(company.removeLogo, { refreshes: [company.config], said: t('Logo removed'), done })
  const ask = async () => {
    if (await confirm({ title: t('Remove logo?'), action: t('Remove logo'), danger: true })) remove.mutate({})
  }
  return (
    <Input.Wrapper label={t('Logo')} labelElement="div" description={t('PNG, JPEG, WebP, GIF or SVG; it is kept at most 400 pixels wide.')}>
      <Group mt={4}>
        {config.has_logo ? (
          <ImageView from={{ call: company.logo, input: {} }} sku={config.code} name={config.name} size={72} version={config.version} />
        ) : null}
        <FileButton
          onChange={file => file && set.mutate({ upload: file })}
          accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml"
        >
          {props => (
            <Button {...props} variant="default" loading={set.isPending}>
              {config.has_logo ? t('Replace logo') : t('Select a logo')}
            </Button>
          )}
        </FileButton>
        {config.has_logo ? (
          <Button variant="subtle" color="brick" onClick={() => void ask()} loading={remove.isPending}>
            {t('Remove')}
          </Button>
        ) : null}
      </Group>
    </Input.Wrapper>
  )
}
