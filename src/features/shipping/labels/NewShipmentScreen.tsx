/** A shipment without an order: who gets it, how it goes, what lies in its parcels – and its labels. */

import { ActionIcon, Alert, Button, Checkbox, Group, NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconDownload, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import * as z from 'zod'
import { countryCodes } from '#domain/countries.ts'
import { fromMinor, toMinor } from '#domain/money.ts'
import { AddressChoice } from '#features/shipping/address-book/AddressChoice.tsx'
import { addressBook } from '#features/shipping/address-book/address-book.contract.ts'
import type { PredefinedAddress } from '#features/shipping/address-book/address-book.schemas.ts'
import { LockerChoice } from '#features/shipping/parcel-shops/LockerChoice.tsx'
import { ParcelShopChoice } from '#features/shipping/parcel-shops/ParcelShopChoice.tsx'
import type { ChosenShop } from '#features/shipping/parcel-shops/ShopField.tsx'
import { device, useDevicePrinter } from '#ui/device/device-storage.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { type Edit, Form, useEdit } from '#ui/kit/Form.tsx'
import { compare, country, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { PhoneInput } from '#ui/kit/PhoneInput.tsx'
import { PostcodeInput } from '#ui/kit/PostcodeInput.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { type Received, saveFile, send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { labels } from './labels.contract.ts'
import style from './Shipments.module.css'
import { ShipmentBadge } from './shipment.labels.tsx'

type Made = Received<typeof labels.create>
type Couriers = Received<typeof labels.setup>

const mostParcels = 20

export function NewShipmentScreen() {
  const t = useT()
  const couriers = useCall(labels.setup, {})
  const [made, setMade] = useState<Made | null>(null)
  return (
    <Page title={t('New shipment')} note={t('A parcel without an order: a spare part, a sample, something that was forgotten.')} narrow>
      {made ? (
        <Labels made={made} again={() => setMade(null)} />
      ) : (
        <QueryState of={couriers} shape="form">
          {known => <WithSender couriers={known} done={setMade} />}
        </QueryState>
      )}
    </Page>
  )
}

/** Reads the company's own address first: it is the sender, and its country is the likeliest of a receiver. */
function WithSender({ couriers, done }: { couriers: Couriers; done: (made: Made) => void }) {
  const t = useT()
  const methods = couriers
    .filter(courier => courier.configured)
    .flatMap(({ agent_code, name, methods, parcels_per_call }) =>
      methods.map(method => ({
        ...method,
        agent_code,
        courier: t(name),
        parcels_per_call,
        value: `${agent_code}/${method.code}`,
        label: `${t(name)}: ${t(method.name)}`,
      })),
    )
  const [first] = methods
  const template = useCall(labels.template, { parts: `${first?.agent_code}_${first?.code}_outbound` }, { enabled: first !== undefined })
  const senders = useCall(addressBook.list, { kind: 'sender', limit: 500 })
  const recipients = useCall(addressBook.list, { kind: 'recipient', limit: 1 })
  if (!first) return <Alert title={t('No courier is set up')}>{t('Set up a courier under Shipping methods first.')}</Alert>
  return (
    <QueryState of={template} shape="form">
      {answer => (
        <QueryState of={senders} shape="form">
          {({ rows }) => (
            <QueryState of={recipients} shape="form">
              {book => (
                <ShipmentForm
                  methods={methods}
                  company={Template.parse(answer).form.sender}
                  from={usualSender(rows)}
                  to={book.rows.find(one => one.is_default)}
                  done={done}
                />
              )}
            </QueryState>
          )}
        </QueryState>
      )}
    </QueryState>
  )
}
/** The sender that this device used last, as far as the address book still has it; else the one that new shipments start with. */
function usualSender(senders: readonly PredefinedAddress[]): PredefinedAddress | undefined {
  const last = device.read('senderAddress')
  if (last?.id === null) return undefined
  return senders.find(one => one.id === last?.id) ?? senders.find(one => one.is_default)
}
type Method = Couriers[number]['methods'][number] & {
  agent_code: string
  courier: string
  parcels_per_call: number
  value: string
  label: string
}

const known = z.string().catch('')
const Template = z.object({
  form: z.object({ sender: z.object({ name: known, address1: known, postcode: known, city: known, country: known }) }),
})
type Sender = z.infer<typeof Template>['form']['sender']

const party = { company: '', attention: '', address2: '', phone: '', email: '', instruction: '' }
/** A number field; empty while nothing is entered. */
type Entered = number | ''
interface Line {
  description: string
  quantity: Entered
  value: Entered
  net_weight_g: Entered
}
interface Parcel {
  weight_g: Entered
  size_mm: Entered[]
  lines: Line[]
}
const line: Line = { description: '', quantity: 1, value: '', net_weight_g: '' }
const parcel: Parcel = { weight_g: '', size_mm: ['', '', ''], lines: [] }

interface Values extends Record<string, unknown> {
  company_id: string
  /** `agent_code/shipping_method`. */
  method: string
  reference: string
  other_sender: boolean
  sender: typeof emptyParty
  recipient: typeof emptyParty
  service_point: ChosenShop
  parcels: Parcel[]
  print: boolean
}
const emptyParty = { ...party, name: '', address1: '', postcode: '', city: '', country: '' }

const partyOf = (address: PredefinedAddress): typeof emptyParty => ({
  name: address.name,
  company: address.company ?? '',
  attention: address.attention ?? '',
  address1: address.address1,
  address2: address.address2 ?? '',
  postcode: address.postcode,
  city: address.city,
  country: address.country,
  phone: address.phone ?? '',
  email: address.email ?? '',
  instruction: address.instruction ?? '',
})

const needed = (message: string) => z.string().trim().min(1, message)
const PartyValues = z.object({
  name: needed('Enter the name'),
  address1: needed('Enter the street and number'),
  postcode: needed('Enter the postcode'),
  city: needed('Enter the city'),
  country: needed('Select a country'),
})
const Amount = z.number().nullable().or(z.literal(''))
const ParcelValues = z.object({
  weight_g: z.number().int().positive().max(2_000_000).or(z.literal('')),
  size_mm: z
    .array(Amount)
    .refine(size => size.every(side => side === '') || size.every(side => side !== ''), 'Enter length, width and height, or none of them'),
  lines: z.array(
    z.object({ description: needed('Say what this line holds'), quantity: z.number('Enter how many').int().positive('Enter how many') }),
  ),
})
const Schema = z
  .object({ other_sender: z.boolean(), sender: z.unknown(), recipient: PartyValues, parcels: z.array(ParcelValues) })
  .superRefine(({ other_sender, sender }, context) => {
    if (!other_sender) return
    for (const issue of PartyValues.safeParse(sender).error?.issues ?? [])
      context.addIssue({ code: 'custom', message: issue.message, path: ['sender', ...issue.path] })
  })

/** A field that is left empty is absent. */
const partyBody = (values: typeof emptyParty) => ({
  ...values,
  ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, name in party ? value.trim() || null : value])),
})

function bodyOf(values: Values, { client_id, currency, printer_id }: { client_id: string; currency: string; printer_id: number | null }) {
  const { company_id, reference, other_sender, sender, recipient, service_point, parcels, print } = values
  return {
    client_id,
    company_id: Number(company_id),
    reference: reference.trim() || null,
    sender: other_sender ? partyBody(sender) : null,
    recipient: partyBody(recipient),
    service_point: service_point.id.trim() ? { ...service_point, id: service_point.id.trim() } : null,
    parcels: parcels.map(({ weight_g, size_mm, lines }) => ({
      ...(weight_g !== '' && { weight_g }),
      size_mm: size_mm.every(side => side !== '') ? size_mm.map(Number) : null,
      lines: lines.map(({ description, quantity, value, net_weight_g }) => ({
        description: description.trim(),
        quantity: Number(quantity),
        value: value === '' ? null : { amount: toMinor(String(value), currency), currency },
        net_weight_g: net_weight_g === '' ? null : net_weight_g,
      })),
    })),
    printer_id: print ? printer_id : null,
  }
}

/** Weight and size as far as they are entered. */
function measuresOf({ weight_g, size_mm }: Parcel): { weight_g: number; size_mm: [number, number, number] | null } {
  const [length = '', width = '', height = ''] = size_mm
  return {
    weight_g: weight_g === '' ? 0 : weight_g,
    size_mm: length === '' || width === '' || height === '' ? null : [length, width, height],
  }
}

interface FormProps {
  methods: readonly Method[]
  company: Sender
  /** Addresses of the address book that the form starts with. */
  from: PredefinedAddress | undefined
  to: PredefinedAddress | undefined
  done: (made: Made) => void
}

function ShipmentForm({ methods, company, from, to, done }: FormProps) {
  const t = useT()
  const { init } = useSignedIn()
  const printer_id = useDevicePrinter('label')
  const noPrinter = printer_id === null && t('No label printer is chosen on this device: the labels can be saved as PDF.')
  const [client_id] = useState(() => crypto.randomUUID())
  const { currency } = init.settings
  const own = init.CompanyLookup.find(company => company.name === init.settings.company_name) ?? init.CompanyLookup[0]
  const edit: Edit<Values> = useEdit({
    schema: Schema,
    initial: {
      company_id: String(own?.id ?? ''),
      method: methods[0]?.value ?? '',
      reference: '',
      other_sender: from !== undefined,
      sender: from ? partyOf(from) : { ...emptyParty, country: company.country },
      recipient: to ? partyOf(to) : { ...emptyParty, country: company.country },
      service_point: { id: '', name: '', address1: '', postcode: '', city: '', country: '' },
      parcels: [parcel],
      print: printer_id !== null,
    },
    save: values => {
      const [agent_code = '', shipping_method = ''] = values.method.split('/')
      const body = bodyOf(values, { client_id, currency, printer_id })
      return send(labels.create, { agent_code, shipping_method, operation_code: 'outbound', body })
    },
    refreshes: [labels.search],
    done,
  })
  const { form, values } = edit
  const method = methods.find(one => one.value === values.method)
  const count = values.parcels.length
  const most = method?.parcels_per_call ?? 1
  const together =
    count === 1 || !method
      ? undefined
      : most === 1
        ? t('{{courier}} takes them one by one.', { courier: method.courier })
        : t('{{courier}} takes up to {{most}} of them in one booking; abroad through customs one by one.', {
            courier: method.courier,
            most,
          })
  const isOwn = values.company_id === String(own?.id ?? '')
  return (
    <Form
      edit={edit}
      action={values.parcels.length > 1 ? t('Create {{count}} labels', { count: values.parcels.length }) : t('Create label')}
    >
      <SettingsSection title={t('Recipient')}>
        <AddressChoice
          kind="recipient"
          choose={address => {
            form.setFieldValue('recipient', partyOf(address))
            form.clearErrors()
          }}
        />
        <PartyFields form={form} who="recipient" focus />
      </SettingsSection>
      <SettingsSection title={t('Sender')} help={t('Printed on the label. Parcels that cannot be delivered come back to it.')}>
        {init.CompanyLookup.length > 1 ? (
          <Select
            label={t('Company')}
            data={init.CompanyLookup.map(company => ({ value: String(company.id), label: company.name }))}
            {...form.getInputProps('company_id')}
          />
        ) : null}
        <AddressChoice
          kind="sender"
          choose={address => {
            form.setValues({ other_sender: true, sender: partyOf(address) })
            form.clearErrors()
            device.write('senderAddress', { id: address.id })
          }}
        />
        <Checkbox
          label={t('Another address than the company’s')}
          {...edit.of('other_sender', 'checkbox')}
          onChange={({ currentTarget: { checked } }) => {
            form.setFieldValue('other_sender', checked)
            if (!checked) device.write('senderAddress', { id: null })
          }}
        />
        {isOwn && !values.other_sender ? (
          <Text size="sm" c="dimmed">
            {[company.name, company.address1, `${company.postcode} ${company.city}`.trim()].filter(Boolean).join(', ')}
          </Text>
        ) : null}
        {values.other_sender ? <PartyFields form={form} who="sender" /> : null}
      </SettingsSection>
      <SettingsSection title={t('Shipping')}>
        <Select label={t('Shipping method')} data={methods.map(({ value, label }) => ({ value, label }))} {...edit.of('method')} />
        {method?.agent_code === 'instabox' && method.service_point !== 'none' ? (
          <LockerChoice
            recipient={values.recipient}
            parcel={measuresOf(values.parcels[0] ?? parcel)}
            value={values.service_point}
            error={form.errors['service_point.id']}
            onChange={shop => form.setFieldValue('service_point', shop)}
          />
        ) : method && method.service_point !== 'none' ? (
          <ParcelShopChoice
            agent_code={method.agent_code}
            method={method.code}
            near={values.recipient}
            value={values.service_point}
            error={form.errors['service_point.id']}
            onChange={shop => form.setFieldValue('service_point', shop)}
          />
        ) : null}
        <TextInput
          label={t('Reference')}
          description={t('Printed on the label, and found by the search of shipments.')}
          {...edit.of('reference')}
        />
      </SettingsSection>
      <SettingsSection
        title={t('Parcels')}
        help={t('Each parcel gets a label. Without a weight, that of its contents and of the packaging counts.')}
      >
        <WholeNumberInput
          label={t('Number of parcels')}
          description={together}
          min={1}
          max={mostParcels}
          clampBehavior="strict"
          allowNegative={false}
          w="12rem"
          value={values.parcels.length}
          onChange={wanted => {
            const count = Number(wanted)
            if (!Number.isInteger(count) || count < 1 || count > mostParcels) return
            // Further parcels begin as the last one, without its contents.
            const last = values.parcels.at(-1) ?? parcel
            const more = Array.from({ length: Math.max(0, count - values.parcels.length) }, () => ({ ...last, lines: [] }))
            form.setFieldValue('parcels', [...values.parcels.slice(0, count), ...more])
          }}
        />
        {values.parcels.map((_, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a parcel that is not made yet has no other name
          <ParcelFields key={nth} edit={edit} nth={nth} currency={currency} />
        ))}
        {values.parcels.length < mostParcels ? (
          <Group>
            <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => form.insertListItem('parcels', parcel)}>
              {t('Add parcel')}
            </Button>
          </Group>
        ) : null}
      </SettingsSection>
      <SettingsSection title={t('Labels')}>
        <Checkbox
          label={t('Print on the label printer of this device')}
          description={noPrinter || undefined}
          {...disabledBecause(noPrinter)}
          {...edit.of('print', 'checkbox')}
        />
      </SettingsSection>
    </Form>
  )
}

function PartyFields({ form, who, focus }: { form: Edit<Values>['form']; who: 'sender' | 'recipient'; focus?: boolean }) {
  const t = useT()
  const of = (name: keyof typeof emptyParty) => form.getInputProps(`${who}.${name}`)
  const countries = useMemo(
    () => countryCodes.map(code => ({ value: code, label: country(code) })).sort((one, other) => compare(one.label, other.label)),
    [],
  )
  return (
    <>
      <TextInput label={t('Name')} withAsterisk data-autofocus={focus || undefined} {...of('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label={t('Company')} {...of('company')} />
        <TextInput label={t('Attention')} {...of('attention')} />
      </SimpleGrid>
      <TextInput label={t('Street and number')} withAsterisk {...of('address1')} />
      <TextInput label={t('Address, second line')} {...of('address2')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <PostcodeInput label={t('Postcode')} country={form.getValues()[who].country} withAsterisk {...of('postcode')} />
        <TextInput label={t('City')} withAsterisk {...of('city')} />
      </SimpleGrid>
      <Select label={t('Country')} data={countries} searchable withAsterisk maxDropdownHeight={280} {...of('country')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <PhoneInput label={t('Phone')} country={form.getValues()[who].country} {...of('phone')} />
        <TextInput label={t('E-mail')} type="email" {...of('email')} />
      </SimpleGrid>
      {who === 'recipient' ? <TextInput label={t('Note to the driver')} {...of('instruction')} /> : null}
    </>
  )
}

function ParcelFields({ edit: { form, values }, nth, currency }: { edit: Edit<Values>; nth: number; currency: string }) {
  const t = useT()
  const at = `parcels.${nth}`
  const grams = { suffix: ' g', min: 0, hideControls: true } as const
  return (
    <section className={style.parcel} aria-label={t('Parcel {{n}}', { n: nth + 1 })}>
      <Group justify="space-between">
        <Text fw={600}>{t('Parcel {{n}}', { n: nth + 1 })}</Text>
        {values.parcels.length > 1 ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('Remove parcel {{n}}', { n: nth + 1 })}
            onClick={() => form.removeListItem('parcels', nth)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        ) : null}
      </Group>
      <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="sm">
        <WholeNumberInput label={t('Weight')} placeholder="g" {...grams} {...form.getInputProps(`${at}.weight_g`)} />
        {[t('Length'), t('Width'), t('Height')].map((label, side) => (
          <WholeNumberInput
            key={label}
            label={label}
            placeholder="mm"
            suffix=" mm"
            min={1}
            max={20_000}
            hideControls
            {...form.getInputProps(`${at}.size_mm.${side}`)}
            error={form.errors[`${at}.size_mm`] ? (side === 0 ? form.errors[`${at}.size_mm`] : true) : form.errors[`${at}.size_mm.${side}`]}
          />
        ))}
      </SimpleGrid>
      {values.parcels[nth]?.lines.map((_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line that is not sent yet has no other name
        <div className={style.contents} key={n}>
          <TextInput label={t('Contents')} {...form.getInputProps(`${at}.lines.${n}.description`)} />
          <WholeNumberInput label={t('Quantity')} min={1} hideControls {...form.getInputProps(`${at}.lines.${n}.quantity`)} />
          <NumberInput
            label={t('Value')}
            min={0}
            decimalScale={fromMinor(0, currency).split('.')[1]?.length ?? 0}
            suffix={` ${currency}`}
            hideControls
            {...form.getInputProps(`${at}.lines.${n}.value`)}
          />
          <WholeNumberInput label={t('Net weight')} placeholder="g" {...grams} {...form.getInputProps(`${at}.lines.${n}.net_weight_g`)} />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('Remove this line')}
            onClick={() => form.removeListItem(`${at}.lines`, n)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <Group>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={16} />}
          onClick={() => form.insertListItem(`${at}.lines`, line)}
        >
          {t('Add contents')}
        </Button>
      </Group>
    </section>
  )
}

/** What was made: a parcel each, with its label. */
function Labels({ made, again }: { made: Made; again: () => void }) {
  const t = useT()
  const failed = made.print_jobs.find(job => job.error !== null)
  const printed = made.print_jobs.length > 0 && !failed
  const save = async (id: number) => {
    try {
      saveFile(await send(labels.file, { id, format: 'pdf' }))
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <Stack gap="md" maw="44rem">
      {printed ? <Alert color="moss">{t('The labels are at the printer.')}</Alert> : null}
      {failed ? (
        <Alert color="red" title={t('Not printed')}>
          {t(failed.error ?? '')}
        </Alert>
      ) : null}
      <ul className={style.made}>
        {made.shipments.map((shipment, nth) => (
          <li key={shipment.shipment_id}>
            <div>
              <Link to="/parcels/shipments" search={{ id: shipment.shipment_id }} className={style.number}>
                {shipment.tracking_no ?? t('No number yet')}
              </Link>
              <div className={style.dim}>
                {[shipment.receiver, shipment.city, weight(shipment.weight_g)].filter(Boolean).join(', ')}
                {shipment.error ? ` – ${t(shipment.error)}` : ''}
              </div>
            </div>
            {shipment.label_formats.length > 0 ? (
              <Button
                style={{ flexShrink: 0 }}
                autoFocus={nth === 0}
                variant={printed ? 'default' : 'filled'}
                leftSection={<IconDownload size={16} />}
                onClick={() => void save(shipment.shipment_id)}
              >
                {t('Save label')}
              </Button>
            ) : (
              <ShipmentBadge state={shipment.state} />
            )}
          </li>
        ))}
      </ul>
      <Group>
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={again}>
          {t('New shipment')}
        </Button>
        <Link to="/parcels/shipments">{t('To the shipments')}</Link>
      </Group>
    </Stack>
  )
}
