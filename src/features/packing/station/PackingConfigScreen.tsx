/** Settings of packing: what holds at every station, how parcels are weighed, and by when someone sees to an exception. */
import { Group, NumberInput, Select, SimpleGrid, Switch, Tabs, TextInput } from '@mantine/core'
import { useRef } from 'react'
import type * as z from 'zod'
import { company } from '#features/company/companies/companies.contract.ts'
import { CompanyConfig, CompanyConfigChange } from '#features/company/companies/companies.schemas.ts'
import { PackingPin } from '#features/company/packing-pin/PackingPin.tsx'
import { kindWord } from '#features/packing/exceptions/exception.labels.tsx'
import { exceptionKinds } from '#features/packing/exceptions/exceptions.codes.ts'
import { exceptionSettingsWriters, exceptions } from '#features/packing/exceptions/exceptions.contract.ts'
import { exceptionsSchemas } from '#features/packing/exceptions/exceptions.schemas.ts'
import type { ExceptionKind } from '#features/packing/packing/packing.codes.ts'
import { WeighingLog } from '#features/packing/weighings/WeighingLog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useVersion } from '#ui/kit/use-version.client.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { type Received, send, useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'

const View = { tab: urlChoice(['rules', 'weighings'], 'rules') }

export function PackingConfigScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  return (
    <Page title={t('Packing')} fill={url.tab === 'weighings'}>
      <Tabs value={url.tab} onChange={tab => setUrl({ tab: tab === 'weighings' ? 'weighings' : 'rules' })} keepMounted={false} mb="md">
        <Tabs.List>
          <Tabs.Tab value="rules">{t('Settings')}</Tabs.Tab>
          <Tabs.Tab value="weighings">{t('Weighings')}</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      {url.tab === 'weighings' ? <WeighingLog /> : <Settings />}
    </Page>
  )
}

function Settings() {
  const t = useT()
  const config = useCall(company.config, {})
  const settings = useCall(exceptions.settings, {}, { live: ['company'] })
  return (
    <>
      <QueryState of={config} shape="form">
        {saved => <StationRules key={saved.id} config={saved} />}
      </QueryState>
      <PackingPin />
      <QueryState of={settings} shape="form">
        {saved => <Times saved={saved} />}
      </QueryState>
      <SettingsSection title={t('More about packing')} help={t('These have pages of their own.')}>
        {pages.map(([path, title]) => (
          <Link key={path} to={path}>
            {t(title)}
          </Link>
        ))}
      </SettingsSection>
    </>
  )
}

const pages = [
  ['/settings/approval', 'Approval'],
  ['/settings/additional-products', 'Additional products'],
  ['/settings/crates', 'Boxes'],
  ['/settings/serial-number-config', 'Serial number rules'],
  ['/settings/qrcode', 'Codes'],
] as const

const Fields = CompanyConfigChange.pick({
  pack_without_pick_list: true,
  open_by_product: true,
  bypass_needs_pin: true,
  approve_inside_only: true,
  label_when: true,
  print_slip: true,
  partial_notice: true,
  parcel_photos: true,
  weigh_parcels: true,
  weight_tolerance_g: true,
  weight_tolerance_percent: true,
  typed_weight: true,
  packaging_weight_g: true,
  default_weight_g: true,
})

const valuesOf = (config: CompanyConfig) => ({
  pack_without_pick_list: config.pack_without_pick_list,
  open_by_product: config.open_by_product,
  bypass_needs_pin: config.bypass_needs_pin,
  approve_inside_only: config.approve_inside_only,
  label_when: config.label_when,
  print_slip: config.print_slip,
  partial_notice: config.partial_notice,
  parcel_photos: config.parcel_photos,
  weigh_parcels: config.weigh_parcels,
  weight_tolerance_g: config.weight_tolerance_g,
  weight_tolerance_percent: config.weight_tolerance_percent,
  typed_weight: config.typed_weight,
  packaging_weight_g: config.packaging_weight_g,
  default_weight_g: config.default_weight_g,
})

/** Settings of the company that hold at every packing station. */
function StationRules({ config }: { config: CompanyConfig }) {
  const t = useT()
  // Of the settings that this form shows: a refresh behind it must not make an old form look current.
  const version = useRef(config.version)
  const edit = useEdit({
    schema: Fields,
    initial: valuesOf(config),
    save: values => send(company.setConfig, { body: { ...values, version: version.current } }),
    refreshes: [company.config],
    said: t('Packing settings saved'),
    undo: async (answer, before) => {
      const back = await send(company.setConfig, { body: { ...before, version: answer.version } })
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
  const weighs = edit.values.weigh_parcels !== 'off'
  const unweighed = disabledBecause(!weighs && t('Only where parcels are weighed'))
  const narrow = { styles: { wrapper: { maxWidth: '12rem' } } }
  return (
    <Form edit={edit}>
      <SettingsSection title={t('At the station')} help={t('What holds at every packing station.')}>
        <Switch label={t('Pack orders without a pick list')} {...edit.of('pack_without_pick_list', 'checkbox')} />
        <Switch label={t('A product scan opens the oldest order of one item')} {...edit.of('open_by_product', 'checkbox')} />
        <Switch label={t('Counting a product by hand needs the packing PIN')} {...edit.of('bypass_needs_pin', 'checkbox')} />
        <Switch
          label={t('Leads approve only in the warehouse network')}
          description={t('A question of a packer is not answered from elsewhere, such as a phone at home.')}
          {...edit.of('approve_inside_only', 'checkbox')}
        />
      </SettingsSection>
      <SettingsSection title={t('Parcels')} help={t('Labels and papers of each parcel, and orders that are sent in part.')}>
        <Select
          label={t('Labels of several parcels')}
          data={[
            { value: 'parcel', label: t('Print as soon as each parcel is full') },
            { value: 'order', label: t('Print when the order is complete') },
          ]}
          {...edit.of('label_when')}
        />
        <Switch label={t('Print a packing slip with every parcel')} {...edit.of('print_slip', 'checkbox')} />
        <Select
          label={t('Partial shipment: recipient')}
          description={t('Whether the tracking page says what follows and what was cancelled.')}
          data={[
            { value: 'ask', label: t('The packer is asked') },
            { value: 'always', label: t('Always say it') },
            { value: 'never', label: t('Never say it') },
          ]}
          {...edit.of('partial_notice')}
        />
        <Select
          label={t('Photo of the open box')}
          description={t('Taken by the camera of the station, and kept as long as packing videos. Picture only.')}
          data={[
            { value: 'off', label: t('None') },
            { value: 'key', label: t('When the packer takes one') },
            { value: 'required', label: t('Each parcel, before it is closed') },
          ]}
          {...edit.of('parcel_photos')}
        />
      </SettingsSection>
      <SettingsSection
        title={t('Weight')}
        help={t('A scale is connected at the station itself, with the button of its weighing screen: USB scales, or a serial port.')}
      >
        <Select
          label={t('Weigh parcels')}
          description={t('Before a parcel gets its label.')}
          data={[
            { value: 'off', label: t('Never') },
            { value: 'scale', label: t('Where the station has a scale') },
            { value: 'always', label: t('Every parcel') },
          ]}
          {...edit.of('weigh_parcels')}
        />
        <Switch label={t('A weight may be typed')} description={unweighed.title} {...unweighed} {...edit.of('typed_weight', 'checkbox')} />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <WholeNumberInput
            label={t('May differ by')}
            description={t('The larger of both counts.')}
            suffix=" g"
            min={0}
            max={10_000}
            {...unweighed}
            {...narrow}
            {...edit.of('weight_tolerance_g')}
          />
          <WholeNumberInput
            label={t('Or by')}
            description={t('Of the expected weight.')}
            suffix=" %"
            min={0}
            max={100}
            {...unweighed}
            {...narrow}
            {...edit.of('weight_tolerance_percent')}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <NumberInput label={t('Packaging (g)')} min={0} max={30_000} {...narrow} {...edit.of('packaging_weight_g')} />
          <NumberInput label={t('Product without weight (g)')} min={0} max={100_000} {...narrow} {...edit.of('default_weight_g')} />
        </SimpleGrid>
      </SettingsSection>
    </Form>
  )
}

type TimesBody = z.output<typeof exceptionsSchemas.calls.setSettings.body>

/** Before the id of a group in the choice of owners. */
const ofGroup = 'group '

function ownerOf({ owners, owner_groups }: Pick<TimesBody, 'owners' | 'owner_groups'>, kind: ExceptionKind): string | null {
  if (owners[kind] !== undefined) return `${owners[kind]}`
  return owner_groups[kind] === undefined ? null : `${ofGroup}${owner_groups[kind]}`
}

function Times({ saved }: { saved: Received<typeof exceptions.settings> }) {
  const t = useT()
  const mayEdit = useIsAllowed(exceptionSettingsWriters)
  const people = useCall(exceptions.owners, {}, { enabled: mayEdit, fresh: 60_000 })
  const groups = useCall(exceptions.ownerGroups, {}, { enabled: mayEdit, fresh: 60_000 })
  const { save, take } = useVersion(saved, (body: TimesBody) => send(exceptions.setSettings, { body }))
  const edit = useEdit({
    schema: exceptionsSchemas.calls.setSettings.body,
    initial: saved,
    save,
    refreshes: [exceptions.settings],
    said: t('Times for exceptions saved'),
    undo: (_, before) => save(before),
    conflict: { schema: exceptionsSchemas.calls.settings.reply, values: take },
  })
  return (
    <Form edit={edit}>
      <SettingsSection
        title={t('Exceptions')}
        help={t(
          'How long each kind of problem may take, and who sees to it. Open exceptions keep both; an hour before the order has to leave is the latest.',
        )}
      >
        {exceptionKinds.map(kind => (
          <Group key={kind} align="flex-start" gap="sm">
            <WholeNumberInput
              label={kindWord(kind)}
              suffix={` ${t('minutes')}`}
              min={5}
              max={10_080}
              w={200}
              {...disabledBecause(!mayEdit && t('You do not have permission for this. Ask a lead.'))}
              {...edit.of(kind)}
            />
            <Select
              label={t('Owner')}
              aria-label={`${t('Owner')}: ${kindWord(kind)}`}
              placeholder={t('No one')}
              searchable
              clearable
              w={240}
              data={[
                { group: t('People'), items: (people.data ?? []).map(({ id, name }) => ({ value: `${id}`, label: name })) },
                { group: t('Groups'), items: (groups.data ?? []).map(({ id, name }) => ({ value: `${ofGroup}${id}`, label: name })) },
              ]}
              {...disabledBecause(!mayEdit && t('You do not have permission for this. Ask a lead.'))}
              value={ownerOf(edit.values, kind)}
              error={ownerOf(edit.values, kind) === null ? undefined : edit.of('owners').error}
              onChange={chosen => {
                const { [kind]: _, ...owners } = edit.values.owners
                const { [kind]: __, ...owner_groups } = edit.values.owner_groups
                const isGroup = chosen?.startsWith(ofGroup)
                edit.of('owners').onChange(chosen === null || isGroup ? owners : { ...owners, [kind]: Number(chosen) })
                edit
                  .of('owner_groups')
                  .onChange(chosen !== null && isGroup ? { ...owner_groups, [kind]: Number(chosen.slice(ofGroup.length)) } : owner_groups)
              }}
            />
          </Group>
        ))}
      </SettingsSection>
      <SettingsSection title={t('Hours of the stations')} help={t('Minutes count only in these hours of a working day.')}>
        <TextInput
          label={t('From')}
          maw={200}
          inputMode="numeric"
          placeholder="06:00"
          {...disabledBecause(!mayEdit && t('You do not have permission for this. Ask a lead.'))}
          {...edit.of('from')}
        />
        <TextInput
          label={t('Until')}
          maw={200}
          inputMode="numeric"
          placeholder="18:00"
          {...disabledBecause(!mayEdit && t('You do not have permission for this. Ask a lead.'))}
          {...edit.of('to')}
        />
      </SettingsSection>
    </Form>
  )
}
