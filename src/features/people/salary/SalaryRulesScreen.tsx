/** Rules of pay: supplements and tariffs with their days, and how the company pays. */
import { Button, Group, TextInput } from '@mantine/core'
import { IconPlus, IconSettings } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { compare, day, money, number, today } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { tableFile } from '#ui/kit/table-file.ts'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { PayRuleForm } from './PayRuleForm.tsx'
import { PaySettingsForm } from './PaySettingsForm.tsx'
import { salary } from './salary.contract.ts'
import { type PayRule, salarySchemas } from './salary.schemas.ts'
import { unitWord, weekdayWord, windowText } from './salary-words.client.ts'

const viewNames = ['now', 'future', 'pilot', 'past', 'all'] as const
const Url = {
  view: urlChoice(viewNames, 'all'),
  query: urlText(),
  sort: urlText('name'),
  /** Id of the open rule, `new` or `settings`. */
  id: urlText(),
}
const shows: Record<(typeof viewNames)[number], (rule: PayRule) => boolean> = {
  now: rule => rule.when === 'now' && !rule.pilot,
  future: rule => rule.when === 'future',
  pilot: rule => rule.pilot && rule.when !== 'past',
  past: rule => rule.when === 'past',
  all: () => true,
}
const sorts: Record<string, (one: PayRule, other: PayRule) => number> = {
  name: (one, other) => compare(one.name, other.name) || compare(other.valid_from, one.valid_from),
  rate: (one, other) => one.rate_micro - other.rate_micro,
  from: (one, other) => compare(one.valid_from, other.valid_from),
}
const byName = sorts.name ?? (() => 0)
const keyOf = (rule: PayRule): number => rule.id
const noRules: readonly PayRule[] = []

export function SalaryRulesScreen() {
  const t = useT()
  const { init } = useSignedIn()
  const [url, setUrl] = useUrlState(Url)
  const [isStarting, setStarting] = useState(false)
  const answer = useCall(salary.rules, {}, { live: ['payroll'], keep: true })
  const all = answer.data?.rules ?? noRules
  const words = url.query.trim().toLowerCase()
  const { currency } = init.settings
  const rows = useMemo(() => {
    const order = url.sort.startsWith('-') ? -1 : 1
    const by = sorts[url.sort.replace(/^-/, '')] ?? byName
    return all
      .filter(rule => shows[url.view](rule) && rule.name.toLowerCase().includes(words))
      .toSorted((one, other) => order * by(one, other))
  }, [all, url.view, url.sort, words])
  const whenText = useMemo(
    () =>
      (rule: PayRule): string => {
        if (rule.unit !== null) return unitWord(t, rule.unit)
        const days = rule.public_holiday
          ? t('Public holidays')
          : rule.weekdays.length === 0
            ? t('Every day')
            : rule.weekdays.map(weekday => weekdayWord(weekday)).join(', ')
        return `${days} · ${windowText(t, rule)}`
      },
    [t],
  )
  const columns = useMemo<Column<PayRule>[]>(
    () => [
      { key: 'name', title: t('Name'), flex: 2, sort: true, cell: rule => rule.name },
      { key: 'kind', title: t('Kind'), cell: rule => (rule.kind === 'tariff' ? t('Tariff') : t('Supplement')) },
      { key: 'when', title: t('For'), flex: 2, cell: rule => whenText(rule) },
      { key: 'rate', title: t('Pay rate'), align: 'end', sort: true, cell: rule => rateText(rule.rate_micro, currency) },
      { key: 'group', title: t('Group'), cell: rule => rule.rule_group || '–' },
      { key: 'code', title: t('Pay code'), cell: rule => rule.pay_code || '–' },
      { key: 'from', title: t('From'), sort: true, cell: rule => day(rule.valid_from) },
      { key: 'to', title: t('Until'), cell: rule => (rule.valid_to === null ? '–' : day(rule.valid_to)) },
      { key: 'state', title: t('Status'), cell: rule => <RuleState rule={rule} /> },
      { key: 'by', title: t('By'), hidden: true, flex: 1, cell: rule => rule.made_by },
    ],
    [t, whenText, currency],
  )
  const count = (view: (typeof viewNames)[number]) => all.filter(shows[view]).length
  const views: View[] = [
    { key: 'all', title: t('All'), search: {}, count: all.length },
    { key: 'now', title: t('Holds now'), search: { view: 'now' }, count: count('now') },
    { key: 'future', title: t('Later'), search: { view: 'future' }, count: count('future') },
    { key: 'pilot', title: t('Pilot'), search: { view: 'pilot' }, count: count('pilot') },
    { key: 'past', title: t('Ended'), search: { view: 'past' }, count: count('past') },
  ]
  const close = () => setUrl({ id: '' })
  const save = async (format: 'csv' | 'xlsx') => {
    const header = [t('Name'), t('For'), t('Pay rate'), t('Group'), t('Pay code'), t('From'), t('Until')]
    const table = rows.map(rule => [
      ...[rule.name, whenText(rule), rule.rate_micro / 1_000_000, rule.rule_group, rule.pay_code, rule.valid_from, rule.valid_to],
    ])
    saveFile(await tableFile('pay-rules', header, table, format))
  }
  const opened = all.find(rule => String(rule.id) === url.id)
  return (
    <Page
      title={t('Pay rules')}
      fill
      actions={
        <Group gap="xs">
          {count('pilot') > 0 ? (
            <Button variant="default" onClick={() => setStarting(true)}>
              {t('Start the pilot…')}
            </Button>
          ) : null}
          <Button variant="default" leftSection={<IconSettings size={16} />} onClick={() => setUrl({ id: 'settings' })}>
            {t('Settings')}
          </Button>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ id: 'new' })}>
            {t('Add rule')}
          </Button>
        </Group>
      }
    >
      <DataTable
        name="pay-rules"
        label={t('Pay rules')}
        columns={columns}
        list={{
          ...staticList(rows),
          isLoading: answer.isPending,
          isRefreshing: answer.isFetching && !answer.isPending,
          error: answer.error,
          refetch: () => void answer.refetch(),
        }}
        keyOf={keyOf}
        open={rule => setUrl({ id: String(rule.id) })}
        opened={opened?.id ?? null}
        sort={url.sort}
        onSort={sort => setUrl({ sort })}
        exports={{ start: format => void save(format).catch(toastError) }}
        toolbar={
          <FilterBar
            name="pay-rules"
            views={views}
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Name') }}
          />
        }
        filtered={all.length > 0 && (url.view !== 'all' || url.query !== '')}
        clearFilters={() => setUrl({ view: 'all', query: '' })}
        empty={
          <EmptyList
            title={t('No pay rules yet')}
            action={
              <Button variant="default" onClick={() => setUrl({ id: 'new' })}>
                {t('Add rule')}
              </Button>
            }
          >
            {t('For example: 25.50 an hour between 17:00 and 22:00.')}
          </EmptyList>
        }
        card={rule => (
          <RowCard>
            <RowCardLine>
              <strong>{rule.name}</strong>
              <span>{rateText(rule.rate_micro, currency)}</span>
            </RowCardLine>
            <RowCardLine>
              <span>{whenText(rule)}</span>
              <RuleState rule={rule} />
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer
        opened={url.id !== ''}
        onClose={close}
        size={640}
        title={url.id === 'settings' ? t('Settings of payroll') : url.id === 'new' ? t('New rule') : (opened?.name ?? t('Rule'))}
      >
        {url.id === 'settings' ? (
          <QueryState of={answer} shape="form">
            {({ settings }) => <PaySettingsForm settings={settings} close={close} />}
          </QueryState>
        ) : url.id === 'new' ? (
          <PayRuleForm rule={null} close={close} />
        ) : opened ? (
          <PayRuleForm key={`${opened.id} ${opened.version}`} rule={opened} close={close} />
        ) : null}
      </Drawer>
      {isStarting ? <StartPilot close={() => setStarting(false)} /> : null}
    </Page>
  )
}

const rateText = (micro: number, currency: string): string =>
  micro % 10_000 === 0 ? money(micro / 10_000, currency) : `${number(micro / 1_000_000, 6)} ${currency}`

function RuleState({ rule }: { rule: PayRule }) {
  const t = useT()
  if (rule.when === 'past') return <StateBadge tone="quiet">{t('Ended')}</StateBadge>
  if (rule.pilot) return <StateBadge tone="busy">{t('Pilot')}</StateBadge>
  return rule.when === 'future' ? <StateBadge tone="plain">{t('Later')}</StateBadge> : <StateBadge tone="done">{t('Holds now')}</StateBadge>
}

function StartPilot({ close }: { close: () => void }) {
  const t = useT()
  const edit = useEdit({
    schema: salarySchemas.calls.startPilot.body,
    initial: { from: today() },
    save: body => send(salary.startPilot, { body }),
    refreshes: [salary.rules, salary.period],
    said: t('The pilot’s tariffs are paid'),
    done: close,
  })
  return (
    <Dialog opened onClose={close} title={t('Start the pilot')}>
      <Form edit={edit} action={t('Start')} cancel={close}>
        <TextInput
          type="date"
          label={t('From')}
          description={t('From this day on the tariffs of the pilot are paid instead of the others.')}
          {...edit.of('from')}
        />
      </Form>
    </Dialog>
  )
}
