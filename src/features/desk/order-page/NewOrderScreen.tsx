/** An order by hand: who gets it, what is in it, how it goes. It is checked as an import is. */
import { ActionIcon, Alert, Button, Group, NumberInput, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, useMemo, useState } from 'react'
import { orderEdits } from '#features/orders/orders/edits/order-edits.contract.ts'
import type { FoundProduct } from '#features/orders/orders/edits/order-edits.schemas.ts'
import { ProductPicker } from '#features/orders/orders/edits/ProductPicker.tsx'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { AddressChoice } from '#features/shipping/address-book/AddressChoice.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { countryChoices } from '#ui/kit/format.ts'
import { Page } from '#ui/kit/Page.tsx'
import { PhoneInput } from '#ui/kit/PhoneInput.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'

const address = { name: '', company: '', address1: '', address2: '', postcode: '', city: '', country: '', phone: '', email: '' }
type Address = typeof address

interface Item {
  product: FoundProduct
  qty: number
  price: number | string
}

export function NewOrderScreen() {
  const t = useT()
  const go = useNavigate()
  const { init, user } = useSignedIn()
  const [company, setCompany] = useState(user.company_id)
  const [to, setTo] = useState<Address>({ ...address, country: init.settings.home_country })
  const [items, setItems] = useState<Item[]>([])
  const [note, setNote] = useState('')
  const [method, setMethod] = useState<string | null>(null)
  const [client_id] = useState(() => crypto.randomUUID())
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [made, setMade] = useState(false)
  const options = useCall(orders.shippingOptions, { company })
  const currency = init.settings.currency
  const setShipping = useSend(orders.setShipping, { refreshes: [orders.search, orders.count] })
  const create = useSend(orderEdits.create, { refreshes: [orders.search, orders.count], quiet: true })
  const countries = useMemo(() => countryChoices(init.CountryLookup), [init])
  const dirty = !made && (items.length > 0 || to.name !== '' || to.address1 !== '')
  useBlocker({
    shouldBlockFn: async () =>
      dirty &&
      !(await confirm({
        title: t('Leave without saving?'),
        body: t('What you changed here is not saved.'),
        action: t('Leave without saving'),
        danger: true,
      })),
    enableBeforeUnload: dirty,
  })
  const of = (field: keyof Address) => ({
    value: to[field],
    error: wrong[`ship_to.${field}`],
    onChange: (event: { currentTarget: { value: string } }) => {
      setTo({ ...to, [field]: event.currentTarget.value })
      setWrong({ ...wrong, [`ship_to.${field}`]: '' })
    },
  })

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const missing: Record<string, string> = {}
    if (to.name.trim() === '') missing['ship_to.name'] = t('Enter the name')
    if (to.address1.trim() === '') missing['ship_to.address1'] = t('Enter the street')
    if (to.postcode.trim() === '') missing['ship_to.postcode'] = t('Enter the postcode')
    if (to.city.trim() === '') missing['ship_to.city'] = t('Enter the city')
    if (items.length === 0) missing.lines = t('Add at least one product')
    setWrong(missing)
    if (Object.keys(missing).length > 0) return
    const orNull = (text: string) => text.trim() || null
    try {
      const answer = await create.mutateAsync({
        body: {
          client_id,
          company_id: company,
          order: {
            currency,
            customer: { name: to.name.trim(), email: orNull(to.email), phone: orNull(to.phone) },
            ship_to: {
              ...to,
              company: orNull(to.company),
              address2: orNull(to.address2),
              phone: orNull(to.phone),
              email: orNull(to.email),
            },
            lines: items.map(({ product, qty, price }) => ({
              sku: product.sku,
              name: product.name,
              variant: product.variant,
              barcode: product.barcode,
              qty,
              unit_price_incl_vat: price === '' ? null : Number(price).toFixed(2),
            })),
            notes: note.trim() === '' ? [] : [{ text: note.trim() }],
          },
        },
      })
      if (method) await setShipping.mutateAsync({ id: answer.id, method }).catch(() => undefined)
      setMade(true)
      setTimeout(() => go('/parcels/orders', { id: String(answer.id) }))
    } catch {
      // The mutation keeps the error; what belongs to a field is said there.
    }
  }
  const fieldErrors = create.error?.fields ?? {}
  const shownErrors = { ...fieldErrors, ...Object.fromEntries(Object.entries(wrong).filter(([, text]) => text !== '')) }
  const errorOf = (field: keyof Address) => shownErrors[`ship_to.${field}`]
  const field = (name: keyof Address) => ({ ...of(name), error: errorOf(name) })

  return (
    <Page title={t('New order')} back={{ to: '/parcels/orders', label: t('Back to the list') }} narrow>
      <form onSubmit={event => void save(event)} noValidate>
        <Stack gap="lg">
          <SettingsSection title={t('Recipient')}>
            <Stack>
              {init.CompanyLookup.length > 1 ? (
                <Select
                  label={t('Company')}
                  data={init.CompanyLookup.map(one => ({ value: String(one.id), label: one.name }))}
                  value={String(company)}
                  onChange={value => {
                    setCompany(Number(value))
                    setItems([])
                    setMethod(null)
                  }}
                />
              ) : null}
              <AddressChoice
                kind="recipient"
                choose={({ name, company, address1, address2, postcode, city, country, phone, email }) => {
                  setTo({
                    ...{ name, address1, postcode, city, country },
                    ...{ company: company ?? '', address2: address2 ?? '', phone: phone ?? '', email: email ?? '' },
                  })
                  setWrong({})
                }}
              />
              <TextInput label={t('Name')} autoComplete="off" data-autofocus {...field('name')} />
              <TextInput label={t('Company name')} autoComplete="off" {...field('company')} />
              <TextInput label={t('Street and number')} autoComplete="off" {...field('address1')} />
              <TextInput label={t('Floor, door')} autoComplete="off" {...field('address2')} />
              <SimpleGrid cols={2} spacing="xs">
                <TextInput label={t('Postcode')} autoComplete="off" {...field('postcode')} />
                <TextInput label={t('City')} autoComplete="off" {...field('city')} />
              </SimpleGrid>
              <Select
                label={t('Country')}
                data={countries}
                value={to.country}
                searchable
                error={errorOf('country')}
                onChange={value => setTo({ ...to, country: value ?? to.country })}
              />
              <SimpleGrid cols={2} spacing="xs">
                <PhoneInput
                  label={t('Phone')}
                  country={to.country}
                  autoComplete="off"
                  value={to.phone}
                  error={errorOf('phone')}
                  onChange={value => setTo({ ...to, phone: value ?? '' })}
                />
                <TextInput label={t('E-mail')} type="email" autoComplete="off" {...field('email')} />
              </SimpleGrid>
            </Stack>
          </SettingsSection>
          <SettingsSection title={t('Products')}>
            <Stack>
              {items.map(({ product, qty, price }, at) => (
                <Group key={product.product_id} justify="space-between" align="flex-end" wrap="nowrap">
                  <div style={{ minWidth: 0 }}>
                    <Text fw={500}>{[product.name, product.variant].filter(Boolean).join(', ')}</Text>
                    <Text size="sm" c="dimmed">
                      {[product.sku, product.bin].filter(Boolean).join(' · ')}
                    </Text>
                  </div>
                  <Group gap="xs" wrap="nowrap" align="flex-end">
                    <WholeNumberInput
                      w={80}
                      label={t('Quantity')}
                      min={1}
                      max={9_999}
                      value={qty}
                      onChange={value => setItems(items.with(at, { product, qty: Number(value) || 1, price }))}
                    />
                    <NumberInput
                      w={112}
                      label={t('Price ({{currency}})', { currency })}
                      min={0}
                      decimalScale={2}
                      value={price}
                      onChange={value => setItems(items.with(at, { product, qty, price: value }))}
                    />
                    <ActionIcon
                      size="lg"
                      aria-label={t('Remove {{name}}', { name: product.name })}
                      onClick={() => setItems(items.toSpliced(at, 1))}
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  </Group>
                </Group>
              ))}
              <ProductPicker
                label={t('Add product')}
                of={{ company }}
                error={wrong.lines || undefined}
                choose={product => {
                  setWrong({ ...wrong, lines: '' })
                  const at = items.findIndex(one => one.product.product_id === product.product_id)
                  const known = items[at]
                  setItems(known ? items.with(at, { ...known, qty: known.qty + 1 }) : [...items, { product, qty: 1, price: '' }])
                }}
              />
            </Stack>
          </SettingsSection>
          <SettingsSection title={t('Shipping')}>
            <Stack>
              <Select
                label={t('Shipping method')}
                description={t('Empty: chosen by your rules.')}
                data={(options.data ?? []).map(one => ({ value: one.method, label: one.name }))}
                value={method}
                clearable
                onChange={setMethod}
              />
              <Textarea
                label={t('Note')}
                description={t('Pickers and packers see it.')}
                autosize
                minRows={2}
                maxLength={2_000}
                value={note}
                onChange={event => setNote(event.currentTarget.value)}
              />
            </Stack>
          </SettingsSection>
          {create.error ? (
            <Alert color="brick" role="alert">
              {errorSentence(create.error)}
            </Alert>
          ) : null}
          <Group justify="flex-end">
            <Button type="submit" loading={create.isPending}>
              {t('Create order')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  )
}
