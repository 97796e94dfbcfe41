/** The couriers that parcels can go with: which are set up, what each can do here, and their settings. */
import { Alert, Button, Group, List, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { country, day, instant } from '#ui/kit/format.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { type Received, send, useCall, useCommand } from '#ui/query/calls.ts'
import { CourierSettings } from './CourierSettings.tsx'
import { parcelShops } from './parcel-shops.contract.ts'
import { ReplacementSetting } from './ReplacementSetting.tsx'

const CourierEventForm = lazy(async () => ({
  default: (await import('#features/shipping/courier-events/CourierEventForm.tsx')).CourierEventForm,
}))

const CourierWebhook = lazy(async () => ({
  default: (await import('#features/shipping/courier-webhooks/CourierWebhook.tsx')).CourierWebhook,
}))

type KnownCourier = Received<typeof parcelShops.configured>[number]

const View = { courier: urlText() }

export function CourierTable({ tabs }: { tabs: ReactNode }) {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const couriers = useCall(parcelShops.configured, {}, { live: ['courier_settings'] })
  const close = () => setUrl({ courier: '' })
  return (
    <Page title={t('Shipping methods')} note={t('Set up a courier with your own agreement; its methods then stand under Methods.')}>
      {tabs}
      <QueryState of={couriers} shape="rows">
        {known => {
          const open = known.find(one => one.agent_code === url.courier)
          return (
            <>
              <Table.ScrollContainer minWidth={480}>
                <Table verticalSpacing="xs">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{t('Courier')}</Table.Th>
                      <Table.Th>{t('Status')}</Table.Th>
                      <Table.Th ta="end">{t('Methods')}</Table.Th>
                      <Table.Th w={110} />
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {known.map(one => (
                      <Table.Tr key={one.agent_code}>
                        <Table.Td fw={500}>{t(one.name)}</Table.Td>
                        <Table.Td>
                          {one.configured ? (
                            <StateBadge tone="done">{t('Set up')}</StateBadge>
                          ) : (
                            <StateBadge tone="plain">{t('Not set up')}</StateBadge>
                          )}
                        </Table.Td>
                        <Table.Td ta="end">{one.makes_labels ? one.methods : '–'}</Table.Td>
                        <Table.Td ta="end">
                          <Button
                            size="compact-sm"
                            variant="default"
                            onClick={() => setUrl({ courier: one.agent_code })}
                            aria-label={t('Edit {{name}}', { name: t(one.name) })}
                          >
                            {one.configured ? t('Edit') : t('Enter agreement')}
                          </Button>
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
              <ReplacementSetting />
              <Drawer opened={open !== undefined} onClose={close} size={720} title={open ? t(open.name) : ''}>
                {open ? (
                  <Stack key={open.agent_code} gap="xl">
                    <CourierSettings agent_code={open.agent_code} />
                    {open.can_test && open.configured ? <ConnectionTest courier={open} /> : null}
                    {open.account_methods && open.configured ? (
                      <AccountMethods agent_code={open.agent_code} methods={open.methods} asked_at={open.account_methods.asked_at} />
                    ) : null}
                    {open.agent_code === 'bring' && open.configured ? <BringCustomers /> : null}
                    {open.agent_code === 'burd' && open.configured ? <BurdPostcodes /> : null}
                    {open.parcel_shops && open.configured ? <ShopLists agent_code={open.agent_code} /> : null}
                    {open.webhook && open.configured ? (
                      <Suspense fallback={<Skeleton shape="form" />}>
                        <CourierWebhook agent_code={open.agent_code} name={open.name} />
                      </Suspense>
                    ) : null}
                    <Suspense fallback={<Skeleton shape="form" />}>
                      <CourierEventForm agent_code={open.agent_code} />
                    </Suspense>
                    <Abilities courier={open} />
                  </Stack>
                ) : null}
              </Drawer>
            </>
          )
        }}
      </QueryState>
    </Page>
  )
}

/** Asks the courier with the saved settings and shows what it says. */
function ConnectionTest({ courier: { agent_code, name } }: { courier: KnownCourier }) {
  const t = useT()
  const test = useCommand(() => send(parcelShops.test, { agent_code }), {
    refreshes: [parcelShops.configured],
  })
  return (
    <section>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {t('The test reads only: nothing is booked.')}
        </Text>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
          {t('Test connection')}
        </Button>
      </Group>
      {test.data ? (
        <Alert
          mt="sm"
          role="status"
          color={test.data.ok ? 'green' : 'brick'}
          title={test.data.ok ? t('{{courier}} answers', { courier: name }) : t('{{courier}} refuses', { courier: name })}
        >
          {test.data.words}
        </Alert>
      ) : null}
    </section>
  )
}

/** The methods of couriers that have none of their own: they come from the account. */
function AccountMethods({ agent_code, methods, asked_at }: { agent_code: string; methods: number; asked_at: string | null }) {
  const t = useT()
  const read = useCommand(() => send(parcelShops.readMethods, { agent_code }), {
    refreshes: [parcelShops.configured],
    said: ({ methods: count }) => t('{{count}} methods are read', { count }),
  })
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {t('Methods of the account')}
      </Title>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {asked_at === null
            ? t('Not read yet. Test the connection.')
            : `${t('{{count}} methods', { count: methods })} · ${t('Read {{time}}', { time: instant(asked_at) })}`}
        </Text>
        <Button size="compact-sm" variant="default" loading={read.isPending} onClick={() => read.mutate(undefined)}>
          {t('Read methods again')}
        </Button>
      </Group>
    </section>
  )
}

/** How many parcel shops are kept of each country, and since when. */
function ShopLists({ agent_code }: { agent_code: string }) {
  const t = useT()
  const known = useCall(parcelShops.shopLists, { agent_code }, { live: ['courier_settings'] })
  const read = useCommand((code: string) => send(parcelShops.readShops, { agent_code, body: { country: code } }), {
    refreshes: [parcelShops.shopLists],
    said: () => t('The parcel shops are being read'),
  })
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {t('Parcel shops')}
      </Title>
      <QueryState of={known} shape="rows">
        {({ countries, lists }) => {
          const shown = [...new Set([...countries, ...lists.map(one => one.country)])].toSorted()
          if (shown.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {t('Shops are kept as they are searched for, and asked for again every night.')}
              </Text>
            )
          return (
            <Stack gap="xs">
              {shown.map(code => {
                const list = lists.find(one => one.country === code)
                return (
                  <Group key={code} justify="space-between" gap="sm" wrap="nowrap">
                    <div>
                      <Text size="sm">{country(code)}</Text>
                      <Text size="sm" c="dimmed">
                        {ageOf(list, countries.includes(code), t)}
                      </Text>
                      {list?.failure ? (
                        <Text size="sm" c="brick">
                          {list.failure}
                        </Text>
                      ) : null}
                    </div>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={t('Read the parcel shops of {{country}} now', { country: country(code) })}
                      loading={read.isPending && read.variables === code}
                      onClick={() => read.mutate(code)}
                    >
                      {t('Read now')}
                    </Button>
                  </Group>
                )
              })}
            </Stack>
          )
        }}
      </QueryState>
    </section>
  )
}

type ShopList = Received<typeof parcelShops.shopLists>['lists'][number]

function ageOf(list: ShopList | undefined, whole: boolean, t: ReturnType<typeof useT>): string {
  if (whole)
    return list?.read_at
      ? `${t('{{count}} shops', { count: list.shops })} · ${t('Read {{time}}', { time: instant(list.read_at) })}`
      : t('Not read yet')
  return list?.asked_at ? t('Asked postcode by postcode, last {{time}}', { time: instant(list.asked_at) }) : t('Asked postcode by postcode')
}

/** Where and when Burd delivers. */
function BurdPostcodes() {
  const t = useT()
  const [written, setWritten] = useState('')
  const [asked, setAsked] = useState('')
  const answers = useCall(parcelShops.burdPostcodes, { postcodes: asked }, { enabled: asked !== '' })
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {t('Where it delivers')}
      </Title>
      <form
        onSubmit={event => {
          event.preventDefault()
          setAsked(written.trim())
        }}
      >
        <Group align="end" gap="xs" wrap="nowrap">
          <TextInput
            style={{ flex: 1 }}
            label={t('Postcodes')}
            placeholder="2100, 2200"
            maxLength={700}
            value={written}
            onChange={event => setWritten(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" {...disabledBecause(written.trim() === '' && t('Enter a postcode first'))}>
            {t('Check')}
          </Button>
        </Group>
      </form>
      {asked === '' ? null : (
        <QueryState of={answers} shape="rows">
          {rows => (
            <List size="sm" spacing="xs" mt="sm">
              {rows.map(one => (
                <List.Item key={one.postcode}>
                  <Text span ff="monospace">
                    {one.postcode}
                  </Text>{' '}
                  {one.covered ? [t('Served'), one.area, one.dates.map(day).join(' · ')].filter(Boolean).join(', ') : t('Not served')}
                </List.Item>
              ))}
            </List>
          )}
        </QueryState>
      )}
    </section>
  )
}

/** The numbers on which the user may book, for the field above. */
function BringCustomers() {
  const t = useT()
  const [asked, setAsked] = useState(false)
  const numbers = useCall(parcelShops.bringCustomers, {}, { enabled: asked })
  return (
    <section>
      <Group justify="space-between" gap="sm" mb="xs">
        <Title order={3} size="h5">
          {t('Customer numbers of this user')}
        </Title>
        {asked ? null : (
          <Button size="compact-sm" variant="default" onClick={() => setAsked(true)}>
            {t('Show customer numbers')}
          </Button>
        )}
      </Group>
      {asked ? (
        <QueryState of={numbers} shape="rows">
          {rows => (
            <List size="sm" spacing="xs">
              {rows.map(one => (
                <List.Item key={`${one.customer_no} ${one.country}`}>
                  <Text span ff="monospace">
                    {one.customer_no}
                  </Text>{' '}
                  {[one.name, one.country === null ? null : country(one.country)].filter(Boolean).join(', ')}
                </List.Item>
              ))}
            </List>
          )}
        </QueryState>
      ) : null}
    </section>
  )
}

const cancelWords: Readonly<Record<KnownCourier['cancel'], string>> = {
  yes: 'Labels can be cancelled at the courier',
  before_hand_over: 'Labels can be cancelled at the courier until it has the parcel',
  no: 'A label cannot be cancelled at the courier: it is blocked here, and raises an alarm when it is scanned',
}

function Abilities({ courier }: { courier: KnownCourier }) {
  const t = useT()
  if (!courier.makes_labels)
    return (
      <Text size="sm" c="dimmed">
        {t('No labels are made with this courier: it tells where and when it delivers.')}
      </Text>
    )
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {t('What works with this courier')}
      </Title>
      <List size="sm" spacing="xs">
        <List.Item>{t(cancelWords[courier.cancel])}</List.Item>
        <List.Item>
          {courier.tracking ? t('The courier is asked where its parcels are') : t('The courier does not tell where its parcels are')}
        </List.Item>
        <List.Item>{courier.parcel_shops ? t('Parcel shops are found by postcode') : t('There is no search for parcel shops')}</List.Item>
        <List.Item>{courier.customs ? t('Customs data goes with the booking') : t('No customs data goes with the booking')}</List.Item>
      </List>
    </section>
  )
}
