/** A new list: what is asked for, and at once what it would be – figures, wagons, and every order left out with its reason. */
import { Button, Checkbox, Group, MultiSelect, NativeSelect, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { listCode } from '#domain/codes.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { country, instantOf, number, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { LocalTimeInput } from '#ui/kit/LocalTimeInput.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import type { CallError } from '#ui/query/call-error.ts'
import { keyOf, saveFile, send, useCall, useSend } from '#ui/query/calls.ts'
import style from './PickLists.module.css'
import { Figures, metresWord, typeWord } from './pick-list.labels.tsx'
import { listTypes } from './pick-lists.codes.ts'
import { pickLists } from './pick-lists.contract.ts'
import type { LeftOut, NewPickList, PickPreview } from './pick-lists.schemas.ts'

type Config = Awaited<ReturnType<typeof useCall<typeof pickLists.config>>>['data'] & {}
type Asked = Omit<NewPickList, 'seed'>

export function NewPickListScreen({ orders }: { orders: readonly number[] }) {
  const t = useT()
  const config = useCall(pickLists.config, {})
  return (
    <Page title={t('New pick list')} back={{ to: '/lists/pick' }}>
      <QueryState of={config} shape="form">
        {answer => <Wave config={answer} orders={orders} />}
      </QueryState>
    </Page>
  )
}

function Wave({ config, orders }: { config: Config; orders: readonly number[] }) {
  const t = useT()
  const go = useNavigate()
  const [asked, setAsked] = useState<Asked>(() => ({
    type: orders.length === 1 ? 'order' : 'cluster',
    companies: [],
    agent_codes: [],
    methods: [],
    ship_by_until: null,
    tags: [],
    countries: [],
    only_bins: '',
    order_ids: [...orders],
    max_orders: null,
    most_wagons: null,
    wagon_type_id: config.default_wagon_type_id,
    singles_per_wagon: 50,
    without_place: 'leave_out',
    on_short: 'ask',
    scan_bin: false,
    bind: 'first_scan',
  }))
  const change = (some: Partial<Asked>) => setAsked(before => ({ ...before, ...some }))
  const [settled] = useDebouncedValue(asked, 350)
  const body = useMemo(() => {
    const { bind: _, ...wave } = settled
    return wave
  }, [settled])
  const preview = useQuery<PickPreview, CallError>({
    queryKey: keyOf(pickLists.preview, body),
    queryFn: ({ signal }) => send(pickLists.preview, { body }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    // Recent orders become eligible while the screen is open.
    refetchInterval: 20_000,
    meta: { live: ['pick_list'] },
  })
  const create = useSend(pickLists.create, {
    refreshes: [pickLists.search, pickLists.available, pickLists.preview],
    said: list => t('List {{list}} is made: {{count}} orders', { list: listCode('PL', list.id), count: list.order_count }),
    done: list => go('/lists/pick', { id: list.id }),
  })
  const seen = preview.data
  const older = preview.isFetching || asked !== settled

  return (
    <div className={style.halves}>
      <Stack gap="md">
        <NativeChoice
          label={t('Type')}
          value={asked.type}
          choose={type => change({ type })}
          data={listTypes.map(value => ({ value, label: typeWord(value) }))}
        />
        {orders.length > 0 ? (
          <Checkbox
            label={t('Only the {{count}} orders that were chosen', { count: orders.length })}
            checked={asked.order_ids.length > 0}
            onChange={event => change({ order_ids: event.currentTarget.checked ? [...orders] : [] })}
          />
        ) : null}
        <Choice
          label={t('Companies')}
          value={asked.companies.map(String)}
          data={config.companies.map(one => ({ value: String(one.id), label: one.name }))}
          set={value => change({ companies: value.map(Number) })}
        />
        <Choice label={t('Couriers')} value={asked.agent_codes} data={config.agent_codes} set={agent_codes => change({ agent_codes })} />
        <Choice
          label={t('Shipping methods')}
          value={asked.methods}
          data={config.methods.map(value => ({ value, label: value.replace(':', ' · ') }))}
          set={methods => change({ methods })}
        />
        <Choice
          label={t('Countries')}
          value={asked.countries}
          data={config.countries.map(value => ({ value, label: country(value) }))}
          set={countries => change({ countries })}
        />
        <Choice label={t('Tags')} value={asked.tags} data={config.tags} set={tags => change({ tags })} />
        <LocalTimeInput
          label={t('Ship by')}
          description={t('Only orders with a deadline until then')}
          onChange={event => change({ ship_by_until: instantOf(event.currentTarget.value) })}
        />
        <TextInput
          label={t('Bins beginning with')}
          description={t('Only orders that lie wholly in such bins')}
          value={asked.only_bins}
          maxLength={40}
          onChange={event => change({ only_bins: event.currentTarget.value })}
        />
        <div className={style.pair}>
          <WholeNumberInput
            label={t('At most orders')}
            placeholder={t('All')}
            min={1}
            max={20_000}
            value={asked.max_orders ?? ''}
            onChange={value => change({ max_orders: whole(value) })}
          />
          <WholeNumberInput
            label={t('At most wagons')}
            placeholder={t('All')}
            min={1}
            max={2_000}
            value={asked.most_wagons ?? ''}
            onChange={value => change({ most_wagons: whole(value) })}
          />
        </div>
        {asked.type === 'singles' ? (
          <WholeNumberInput
            label={t('Orders on a wagon')}
            min={1}
            max={200}
            value={asked.singles_per_wagon}
            onChange={value => change({ singles_per_wagon: whole(value) ?? 50 })}
          />
        ) : null}
        {asked.type === 'cluster' && config.wagon_types.length > 0 ? (
          <NativeSelect
            label={t('Wagon')}
            value={String(asked.wagon_type_id ?? '')}
            onChange={event => change({ wagon_type_id: Number(event.currentTarget.value) || null })}
            data={config.wagon_types
              .filter(type => type.active)
              .map(type => ({
                value: String(type.id),
                label: t('{{name}}: {{count}} slots', { name: type.name, count: type.rows * type.columns }),
              }))}
          />
        ) : null}
        <NativeChoice
          label={t('When items are missing')}
          value={asked.on_short}
          choose={on_short => change({ on_short })}
          data={[
            { value: 'ask', label: t('Someone decides each time') },
            { value: 'wait', label: t('The order waits') },
            { value: 'ship_partial', label: t('Send what is there') },
            { value: 'ask_customer', label: t('Wait for the customer') },
            { value: 'cancel_line', label: t('Cancel missing items') },
          ]}
        />
        <Checkbox
          label={t('Pick products without a place last')}
          description={t('Otherwise their orders are left out')}
          checked={asked.without_place === 'last'}
          onChange={event => change({ without_place: event.currentTarget.checked ? 'last' : 'leave_out' })}
        />
        <Checkbox
          label={t('The picker scans the bin first')}
          checked={asked.scan_bin}
          onChange={event => change({ scan_bin: event.currentTarget.checked })}
        />
        {asked.type === 'singles' ? null : (
          <Checkbox
            label={t('Totes belong to their orders at once')}
            description={t('Otherwise from their first scan on')}
            checked={asked.bind === 'now'}
            onChange={event => change({ bind: event.currentTarget.checked ? 'now' : 'first_scan' })}
          />
        )}
      </Stack>
      <div className={style.preview}>
        {preview.error && !seen ? (
          <ErrorState error={preview.error} again={() => void preview.refetch()} />
        ) : seen ? (
          <Seen seen={seen} older={older}>
            <Group>
              <Button
                size="md"
                {...disabledBecause(
                  older ? t('The orders are being counted') : seen.orders === 0 ? t('No order can go on a list now') : false,
                )}
                loading={create.isPending}
                onClick={() => create.mutate({ body: asked })}
              >
                {t('Create list ({{count}})', { count: seen.orders })}
              </Button>
              {seen.orders === 0 && !older ? <Text c="dimmed">{t('No order can go on a list now')}</Text> : null}
            </Group>
          </Seen>
        ) : (
          <Skeleton shape="page" />
        )}
      </div>
    </div>
  )
}

const whole = (value: string | number): number | null => (typeof value === 'number' && value >= 1 ? Math.trunc(value) : null)

function Choice({
  label,
  value,
  data,
  set,
}: {
  label: string
  value: readonly string[]
  data: readonly (string | { value: string; label: string })[]
  set: (value: string[]) => void
}) {
  const t = useT()
  if (data.length < 2) return null
  return (
    <MultiSelect
      label={label}
      {...(value.length === 0 ? { placeholder: t('All') } : {})}
      value={[...value]}
      data={[...data]}
      onChange={set}
      clearable
      searchable
    />
  )
}

/** What the list will hold. `children` stand below its figures, above the long tables. */
function Seen({ seen, older, children }: { seen: PickPreview; older: boolean; children: ReactNode }) {
  const t = useT()
  return (
    <div className={older ? `${style.preview} ${style.older}` : style.preview} aria-busy={older}>
      <Figures
        of={[
          [t('Orders'), number(seen.orders)],
          [t('Lines'), number(seen.lines)],
          [t('Items'), number(seen.pieces)],
          [t('Wagons'), number(seen.wagons.length)],
          [t('Stops'), number(seen.stops)],
          [t('Distance'), metresWord(seen.metres)],
          [t('Minutes'), number(seen.minutes)],
        ]}
      />
      {children}
      {seen.metres === null && seen.orders > 0 ? (
        <Text size="sm" c="dimmed">
          {t('No warehouse map is active: bins are walked in the order of their names.')}{' '}
          <Link to="/settings/warehouse-map">{t('Draw one')}</Link>
        </Text>
      ) : null}
      {seen.wagons.length > 0 ? (
        <div className={style.scroll}>
          <Table stickyHeader verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Wagon')}</Table.Th>
                <Table.Th ta="end">{t('Orders')}</Table.Th>
                <Table.Th ta="end">{t('Items')}</Table.Th>
                <Table.Th ta="end">{t('Stops')}</Table.Th>
                <Table.Th ta="end">{t('Distance')}</Table.Th>
                <Table.Th ta="end">{t('Minutes')}</Table.Th>
                <Table.Th ta="end">{t('Weight')}</Table.Th>
                <Table.Th>{t('Ship by')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {seen.wagons.slice(0, 200).map(wagon => (
                <Table.Tr key={wagon.wagon_no}>
                  <Table.Td>{number(wagon.wagon_no)}</Table.Td>
                  <Table.Td ta="end">{number(wagon.orders)}</Table.Td>
                  <Table.Td ta="end">{number(wagon.pieces)}</Table.Td>
                  <Table.Td ta="end">{number(wagon.stops)}</Table.Td>
                  <Table.Td ta="end">{metresWord(wagon.metres)}</Table.Td>
                  <Table.Td ta="end">{number(wagon.minutes)}</Table.Td>
                  <Table.Td ta="end">{weight(wagon.weight_g)}</Table.Td>
                  <Table.Td>{wagon.ship_by ? <RelativeTime at={wagon.ship_by} as="age" /> : '–'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      ) : null}
      {seen.left_out_count > 0 ? <LeftOutOrders seen={seen} /> : null}
    </div>
  )
}

function LeftOutOrders({ seen }: { seen: PickPreview }) {
  const t = useT()
  const [reason, setReason] = useState<string | null>(null)
  const known = seen.reasons.some(one => one.reason === reason) ? reason : null
  const shown = known === null ? seen.left_out : seen.left_out.filter(one => one.reason === known)
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('{{count}} orders left out', { count: seen.left_out_count })}
        </Title>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={16} />}
          onClick={() =>
            saveFile(new File([csvOf(shown, sentence => t(sentence.text, sentence.values))], 'left-out.csv', { type: 'text/csv' }))
          }
        >
          {t('Export')}
        </Button>
      </Group>
      <div className={style.reasons}>
        {seen.reasons.map(one => (
          <Button
            key={one.reason}
            size="compact-sm"
            variant={known === one.reason ? 'filled' : 'default'}
            aria-pressed={known === one.reason}
            onClick={() => setReason(known === one.reason ? null : one.reason)}
          >
            {t(one.text)} · {number(one.count)}
          </Button>
        ))}
      </div>
      <div className={style.scroll} style={{ marginTop: 'var(--s-3)' }}>
        <Table stickyHeader verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Order')}</Table.Th>
              <Table.Th>{t('Company')}</Table.Th>
              <Table.Th>{t('Reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.slice(0, 200).map(one => (
              <Table.Tr key={one.order_id}>
                <Table.Td>
                  <Link to="/parcels/orders" search={{ id: one.order_id }}>
                    {one.order_no}
                  </Link>
                </Table.Td>
                <Table.Td>{one.company}</Table.Td>
                <Table.Td>{t(one.text, one.values)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {shown.length > 200 ? (
          <Text size="sm" c="dimmed" p="xs">
            {t('The first {{number}} are shown. The export has them all.', { number: 200 })}
          </Text>
        ) : null}
      </div>
    </section>
  )
}

/** Text that a spreadsheet would calculate begins with an apostrophe instead. */
function csvOf(rows: readonly LeftOut[], say: (row: LeftOut) => string): string {
  const cell = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
  const lines = rows.map(row => [row.order_no, row.company, row.reason, say(row)].map(cell).join(';'))
  return `\uFEFF${['order_no;company;reason;text', ...lines].join('\r\n')}\r\n`
}
