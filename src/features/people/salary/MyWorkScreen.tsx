/** The own hours, pay and numbers of everyone, each with a download. */
import { Button, Group, Tabs, Text, TextInput } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { access } from '#contract/access.ts'
import { MyHoursScreen } from '#features/people/timesheet/MyHoursScreen.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList, EmptyState } from '#ui/kit/EmptyState.tsx'
import { day, duration, money, number, percent, today } from '#ui/kit/format.ts'
import { AccessDeniedIllustration } from '#ui/kit/illustrations.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { tableFile } from '#ui/kit/table-file.ts'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { type Received, saveFile, useCall } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { PayLines } from './PayLines.tsx'
import { salary } from './salary.contract.ts'
import { lineWord } from './salary-words.client.ts'

const tabs = ['hours', 'pay', 'numbers'] as const
const Url = { tab: urlChoice(tabs, 'hours'), from: urlText(), to: urlText() }

export function MyWorkScreen() {
  return useSignedIn().user.device ? <OfPeople /> : <MyWork />
}

/** An address that somebody types at a kiosk. */
function OfPeople() {
  const t = useT()
  const clocks = useIsAllowed(access.punchclock)
  return (
    <Page title={t('My hours')}>
      <EmptyState
        illustration={<AccessDeniedIllustration />}
        title={t('A device has no hours of its own')}
        action={
          <Button component={Link} to={clocks ? '/punchclock' : '/'}>
            {clocks ? t('Punch clock') : t('Back to the start')}
          </Button>
        }
      >
        {t('They are those of a person. Sign in under your own name, on your phone or computer.')}
      </EmptyState>
    </Page>
  )
}

function MyWork() {
  const t = useT()
  const [url, setUrl] = useUrlState(Url)
  const own = (
    <Tabs value={url.tab} onChange={chosen => setUrl({ tab: tabs.find(one => one === chosen) ?? 'hours' })}>
      <Tabs.List>
        <Tabs.Tab value="hours">{t('Hours')}</Tabs.Tab>
        <Tabs.Tab value="pay">{t('Pay')}</Tabs.Tab>
        <Tabs.Tab value="numbers">{t('My numbers')}</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  )
  if (url.tab === 'pay') return <MyPay tabs={own} />
  return url.tab === 'numbers' ? <MyNumbers tabs={own} /> : <MyHoursScreen tabs={own} />
}

function useSpan() {
  const [url, setUrl] = useUrlState(Url)
  return { start: url.from || `${today().slice(0, 7)}-01`, end: url.to || today(), setUrl }
}

function SpanInputs() {
  const t = useT()
  const { start, end, setUrl } = useSpan()
  return (
    <Group align="end">
      <TextInput
        type="date"
        label={t('From')}
        value={start}
        max={end}
        onChange={event => event.currentTarget.value && setUrl({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t('Until')}
        value={end}
        min={start}
        onChange={event => event.currentTarget.value && setUrl({ to: event.currentTarget.value })}
      />
    </Group>
  )
}

function MyPay({ tabs: own }: { tabs: ReactNode }) {
  const t = useT()
  const { start, end } = useSpan()
  const answer = useCall(salary.myPay, { start, end }, { live: ['payroll', 'timesheet'], keep: true })
  const { data } = answer
  const save = async ({ pay, currency }: Received<typeof salary.myPay>) => {
    const header = [t('Pay line'), t('Pay code'), t('Units'), t('Pay rate'), t('Amount'), t('Currency')]
    const table = (pay?.lines ?? []).map(line => [
      ...[lineWord(t, line), line.pay_code, line.units_c === null ? null : line.units_c / 100],
      ...[line.rate === null ? null : line.rate / 100, line.amount / 100, currency],
    ])
    saveFile(await tableFile(`pay-${start}-${end}`, header, table, 'csv'))
  }
  return (
    <Page
      title={t('My hours')}
      tabs={own}
      note={data?.pay ? t('{{amount}} in this period', { amount: money(data.pay.total, data.currency) }) : undefined}
      actions={
        data?.pay ? (
          <Button variant="default" onClick={() => void save(data).catch(toastError)}>
            {t('Download')}
          </Button>
        ) : null
      }
    >
      <SpanInputs />
      <QueryState of={answer} shape="form">
        {({ pay, currency }) =>
          pay === null ? (
            <EmptyList title={t('No pay in this period')}>{t('Pay is shown where your company keeps it here.')}</EmptyList>
          ) : (
            <div style={{ maxWidth: 720, marginTop: 'var(--s-4)' }}>
              <PayLines person={pay} currency={currency} />
              <Text size="sm" c="dimmed" mt="sm">
                {t('From approved days. Your payslip may hold more than this.')}
              </Text>
            </div>
          )
        }
      </QueryState>
    </Page>
  )
}

type Numbers = Received<typeof salary.myNumbers>[number]
const keyOf = (row: Numbers): string => `${row.day} ${row.kind}`
const rightShare = (row: Pick<Numbers, 'scans' | 'wrong'>): string =>
  row.scans === 0 ? '–' : percent((row.scans - row.wrong) / row.scans, 1)

function MyNumbers({ tabs: own }: { tabs: ReactNode }) {
  const t = useT()
  const { start, end } = useSpan()
  const answer = useCall(salary.myNumbers, { start, end }, { keep: true, fresh: 60_000 })
  const rows = useMemo(() => answer.data?.toReversed() ?? [], [answer.data])
  const columns = useMemo<Column<Numbers>[]>(
    () => [
      { key: 'day', title: t('Day'), flex: 1, cell: row => day(row.day) },
      { key: 'kind', title: t('Work'), flex: 1, cell: row => (row.kind === 'pick' ? t('Picking') : t('Packing')) },
      { key: 'orders', title: t('Orders'), align: 'end', cell: row => number(row.orders) },
      { key: 'lines', title: t('Lines'), align: 'end', cell: row => number(row.lines) },
      { key: 'pieces', title: t('Items'), align: 'end', cell: row => number(row.pieces) },
      { key: 'kg', title: t('Kilograms'), align: 'end', cell: row => number(row.grams / 1_000, 1) },
      { key: 'wagons', title: t('Wagons'), align: 'end', cell: row => (row.kind === 'pick' ? number(row.wagons) : '–') },
      { key: 'active', title: t('Active time'), align: 'end', cell: row => duration(row.active_s) },
      { key: 'right', title: t('Right scans'), align: 'end', cell: row => rightShare(row) },
    ],
    [t],
  )
  const save = async (format: 'csv' | 'xlsx') => {
    const header = [t('Day'), t('Work'), t('Orders'), t('Lines'), t('Items'), t('Kilograms'), t('Wagons'), t('Scans'), t('Wrong scans')]
    const table = rows.map(row => [
      ...[row.day, row.kind === 'pick' ? t('Picking') : t('Packing'), row.orders, row.lines, row.pieces, row.grams / 1_000],
      ...[row.wagons, row.scans, row.wrong],
    ])
    saveFile(await tableFile(`numbers-${start}-${end}`, header, table, format))
  }
  return (
    <Page title={t('My hours')} tabs={own} fill note={t('Undone scans and breaks of five minutes and more are not counted.')}>
      <DataTable
        name="my-numbers"
        label={t('My numbers')}
        columns={columns}
        list={{ ...staticList(rows), isLoading: answer.isPending, error: answer.error, refetch: () => void answer.refetch() }}
        keyOf={keyOf}
        exports={{ start: format => void save(format).catch(toastError) }}
        toolbar={<SpanInputs />}
        empty={<EmptyList title={t('No numbers in this period')}>{t('They come from what you scan.')}</EmptyList>}
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{day(row.day)}</strong>
              <span>{row.kind === 'pick' ? t('Picking') : t('Packing')}</span>
            </RowCardLine>
            <RowCardLine>
              <span>{t('{{orders}} orders, {{lines}} lines', { orders: number(row.orders), lines: number(row.lines) })}</span>
              <span>{rightShare(row)}</span>
            </RowCardLine>
          </RowCard>
        )}
      />
    </Page>
  )
}
