/** Messages: what was sent to whom, what came back, what failed; sendings to many; and writing new ones. */
import { Button, Group, SegmentedControl, Stack, Table, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { access } from '#contract/access.ts'
import { sms } from '#features/deliveries/sms/sms.contract.ts'
import { channelWords, triggerWords } from '#features/messages/templates/template.labels.ts'
import { messageChannels, messageTriggers } from '#features/messages/templates/templates.codes.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ExportButton } from '#ui/kit/ExportButton.tsx'
import { type Filter, FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { instant, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { Pager } from '#ui/kit/Pager.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText, urlTexts } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { MessageComposer } from './MessageComposer.tsx'
import style from './Messages.module.css'
import { messageRefreshes } from './MessageThread.tsx'
import { MessageBadge, priceWord, reasonWord, stateWords } from './message.labels.tsx'
import { type MessageState, messageStates, messageViews } from './messages.codes.ts'
import { messages } from './messages.contract.ts'
import type { Message, MessageGroup } from './messages.schemas.ts'
import { AnsweredThread } from './ReplyForm.tsx'

const Url = {
  query: urlText(),
  view: urlChoice(messageViews, 'all'),
  channel: urlChoice(['', ...messageChannels], ''),
  state: urlTexts(),
  trigger: urlTexts(),
  company: urlNumber(0),
  sort: urlChoice(['newest', 'oldest'], 'newest'),
  page: urlNumber(1),
  /** The order whose thread is open, or the message where there is none. */
  id: urlNumber(0),
  /** `new`, `groups`. */
  open: urlChoice(['', 'new', 'groups'], ''),
}
const keyOf = (row: Message) => row.id
const live = ['message'] as const

export function MessagesScreen() {
  const t = useT()
  const { init } = useSignedIn()
  const [url, setUrl] = useUrlState(Url)
  const states = messageStates.filter(one => url.state.includes(one))
  const triggers = messageTriggers.filter(one => url.trigger.includes(one))
  const question = {
    view: url.view,
    query: url.query,
    sort: url.sort,
    ...(url.channel && { channel: url.channel }),
    ...(states.length > 0 && { state: states }),
    ...(triggers.length > 0 && { trigger: triggers }),
    ...(url.company > 0 && { company: url.company }),
  }
  const counts = useCall(messages.count, {}, { live, fresh: 2_000 })
  const list = usePagedList(messages.list, { ...question, page: url.page, limit: 50 }, { live, keyOf })
  const save = useCommand(() => send(messages.export, question), { done: saveFile })
  const names = useMemo(() => new Map(init.CompanyLookup.map(company => [company.id, company.name])), [init])
  // A message that leaves the list – answered, or pushed to the next page – stays open: someone may be writing in it.
  const [last, setLast] = useState<Message | null>(null)
  const opened = list.rows.find(row => row.id === url.id) ?? (last?.id === url.id ? last : null)
  const columns = useMemo<Column<Message>[]>(
    () => [
      {
        key: 'order',
        title: t('Order'),
        cell: row =>
          row.order_id === null ? (
            '–'
          ) : (
            <Link to="/parcels/orders" search={{ id: row.order_id }}>
              {row.order_no ?? row.order_id}
            </Link>
          ),
      },
      { key: 'who', title: t('Recipient'), flex: 1, cell: row => row.name || row.address || '–' },
      { key: 'text', title: t('Message'), flex: 3, cell: row => <span title={row.text}>{row.subject || row.text}</span> },
      { key: 'state', title: t('Status'), cell: row => <MessageBadge of={row} /> },
      { key: 'reason', title: t('Reason'), flex: 1, cell: row => <span className={style.dim}>{reasonWord(t, row.reason)}</span> },
      { key: 'channel', title: t('Channel'), cell: row => t(channelWords[row.channel]) },
      {
        key: 'trigger',
        title: t('Occasion'),
        hidden: true,
        cell: row => (row.direction === 'in' ? t('Answer') : row.actor || t(triggerWords[row.trigger])),
      },
      { key: 'parts', title: t('Parts'), align: 'end', hidden: true, cell: row => (row.parts === null ? '–' : number(row.parts)) },
      {
        key: 'price',
        title: t('Price'),
        align: 'end',
        hidden: true,
        cell: row => (row.price_micro === null || row.currency === null ? '–' : priceWord(row.price_micro, row.currency)),
      },
      ...(names.size > 1
        ? [{ key: 'company', title: t('Company'), hidden: true, cell: (row: Message) => names.get(row.company_id) ?? '' }]
        : []),
      { key: 'newest', title: t('Time'), sort: true, cell: row => <RelativeTime at={row.sent_at ?? row.created_at} /> },
    ],
    [t, names],
  )
  const counted = (key: 'unanswered' | 'failed' | 'scheduled') => (counts.data ? { count: counts.data[key] } : {})
  const views: View[] = [
    { key: 'all', title: t('All'), search: {} },
    { key: 'unanswered', title: t('Unanswered'), search: { view: 'unanswered' }, ...counted('unanswered') },
    { key: 'failed', title: t('Failed'), search: { view: 'failed' }, ...counted('failed') },
    { key: 'scheduled', title: t('Scheduled'), search: { view: 'scheduled' }, ...counted('scheduled') },
  ]
  const byCompany = useCompanyFilter({
    kind: 'one',
    value: url.company > 0 ? [String(url.company)] : [],
    set: ([value = '0']) => setUrl({ company: Number(value) }),
  })
  const filters: Filter[] = [
    {
      key: 'channel',
      label: t('Channel'),
      kind: 'one',
      options: messageChannels.map(value => ({ value, label: t(channelWords[value]) })),
      value: url.channel ? [url.channel] : [],
      set: ([value = '']) => setUrl({ channel: messageChannels.find(one => one === value) ?? '' }),
    },
    {
      key: 'state',
      label: t('Status'),
      kind: 'many',
      options: messageStates.map(value => ({ value, label: t(stateWords[value]) })),
      value: url.state,
      set: state => setUrl({ state: [...state] }),
    },
    {
      key: 'trigger',
      label: t('Occasion'),
      kind: 'many',
      options: messageTriggers.map(value => ({ value, label: t(triggerWords[value]) })),
      value: url.trigger,
      set: trigger => setUrl({ trigger: [...trigger] }),
    },
    ...byCompany,
  ]
  const close = () => setUrl({ id: 0, open: '' })
  return (
    <Page
      title={t('Messages')}
      fill
      note={<LowBalance />}
      actions={
        <>
          <Button variant="default" visibleFrom="sm" onClick={() => setUrl({ open: 'groups', id: 0 })}>
            {t('Sendings')}
          </Button>
          <ExportButton save={save} />
          <Button leftSection={<IconPlus size={16} />} onClick={() => setUrl({ open: 'new', id: 0 })}>
            {t('New message')}
          </Button>
        </>
      }
    >
      <DataTable
        name="messages"
        label={t('Messages')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => {
          setLast(row)
          setUrl({ id: row.id, open: '' })
        }}
        opened={url.id || null}
        sort={url.sort === 'newest' ? '-newest' : 'newest'}
        onSort={() => setUrl({ sort: url.sort === 'newest' ? 'oldest' : 'newest' })}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="messages"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Order, number or e-mail') }}
            filters={filters}
            views={views}
          />
        }
        filtered={
          url.query !== '' || url.view !== 'all' || url.channel !== '' || url.state.length + url.trigger.length > 0 || url.company > 0
        }
        clearFilters={() => setUrl({ query: '', view: 'all', channel: '', state: [], trigger: [], company: 0 })}
        empty={
          <EmptyList
            title={t('No messages yet')}
            action={
              <Button variant="default" onClick={() => setUrl({ open: 'new' })}>
                {t('New message')}
              </Button>
            }
          >
            {t('Messages to recipients stand here with their answers.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{row.order_no ?? (row.name || row.address)}</strong>
              <MessageBadge of={row} />
            </RowCardLine>
            <RowCardLine>
              <Text size="sm" truncate title={row.subject || row.text}>
                {row.subject || row.text}
              </Text>
              <RelativeTime at={row.sent_at ?? row.created_at} as="age" />
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer opened={url.id > 0 && opened !== null} onClose={close} title={opened?.order_no ?? opened?.name ?? t('Message')} size={560}>
        {opened ? <Opened message={opened} /> : null}
      </Drawer>
      <Drawer opened={url.open === 'new'} onClose={close} title={t('New message')} size={640}>
        {url.open === 'new' ? <NewMessage done={close} /> : null}
      </Drawer>
      <Drawer opened={url.open === 'groups'} onClose={close} title={t('Sendings')} size={720}>
        {url.open === 'groups' ? <Groups /> : null}
      </Drawer>
    </Page>
  )
}

/** Said only where something has to be done. */
function LowBalance() {
  const t = useT()
  const balance = useCall(sms.balance, {}, { fresh: 60_000 })
  const maySet = useIsAllowed(access.settings)
  if (!balance.data) return null
  if (balance.data.provider === 'log')
    return maySet ? (
      <Link to="/settings/email" search={{ tab: 'sms' }}>
        {t('Text messages are only logged. Set up a gateway')}
      </Link>
    ) : (
      t('Text messages are only logged: no gateway is set up.')
    )
  const { balance_micro, currency, warn } = balance.data
  return warn && balance_micro !== null ? t('The balance is low: {{amount}}', { amount: priceWord(balance_micro, currency) }) : null
}

function Opened({ message }: { message: Message }) {
  const t = useT()
  const thread = useCall(messages.thread, { id: message.order_id ?? 0 }, { enabled: message.order_id !== null, live })
  return (
    <Stack gap="md">
      {message.order_id === null ? (
        <AnsweredThread rows={[message]} />
      ) : (
        <>
          <Link to="/parcels/orders" search={{ id: message.order_id }}>
            {t('Open order {{number}}', { number: message.order_no ?? '' })}
          </Link>
          <QueryState of={thread}>{({ rows }) => <AnsweredThread rows={rows} />}</QueryState>
        </>
      )}
    </Stack>
  )
}

/** First who gets it: one order by its number, or all that a filter of orders finds. */
function NewMessage({ done }: { done: () => void }) {
  const t = useT()
  const [kind, setKind] = useState<'one' | 'filter'>('one')
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<number | null>(null)
  const [tag, setTag] = useState('')
  const [countries, setCountries] = useState('')
  const found = useCall(
    messages.orderList,
    { query: query.trim(), limit: 8 },
    { enabled: kind === 'one' && query.trim().length > 1 && chosen === null, keep: true },
  )
  const filters = useMemo(() => {
    const country = countries
      .split(/[,\s]+/)
      .map(one => one.toUpperCase())
      .filter(one => /^[A-Z]{2}$/.test(one))
    return { open: true, ...(tag.trim() !== '' && { tag: tag.trim() }), ...(country.length > 0 && { country }) }
  }, [tag, countries])
  const to = useMemo(() => (kind === 'one' ? { orders: chosen === null ? [] : [chosen] } : { filters }), [kind, chosen, filters])
  const words = { ok: '', none: t('no number'), bad: t('number is none'), opt_out: t('wants no messages') }
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={t('Recipients')}
        data={[
          { value: 'one', label: t('One order') },
          { value: 'filter', label: t('Open orders') },
        ]}
        value={kind}
        onChange={value => setKind(value === 'filter' ? 'filter' : 'one')}
      />
      {kind === 'one' ? (
        <TextInput
          label={t('Order')}
          placeholder={t('Number, name or phone')}
          data-autofocus
          value={query}
          onChange={event => {
            setQuery(event.currentTarget.value)
            setChosen(null)
          }}
        />
      ) : (
        <Group grow align="start">
          <TextInput label={t('Tag')} description={t('Empty: any.')} value={tag} onChange={event => setTag(event.currentTarget.value)} />
          <TextInput
            label={t('Countries')}
            description={t('As DK, SE. Empty: any.')}
            value={countries}
            onChange={event => setCountries(event.currentTarget.value)}
          />
        </Group>
      )}
      {kind === 'one' && chosen === null && found.data ? (
        <Stack gap={4}>
          {found.data.rows.map(order => (
            <Button
              key={order.id}
              variant="subtle"
              justify="space-between"
              onClick={() => {
                setChosen(order.id)
                setQuery(order.order_no)
              }}
              rightSection={words[order.phone]}
            >
              {order.order_no} · {order.customer_name}
            </Button>
          ))}
          {found.data.rows.length === 0 ? <Text size="sm">{t('Nothing matches')}</Text> : null}
        </Stack>
      ) : null}
      {kind === 'filter' || chosen !== null ? <MessageComposer to={to} order_id={kind === 'one' ? chosen : null} done={done} /> : null}
    </Stack>
  )
}

const stateOrder: readonly MessageState[] = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'failed',
  'expired',
  'unknown',
  'skipped',
  'cancelled',
]

function Groups() {
  const t = useT()
  const [page, setPage] = useState(1)
  const groups = useCall(messages.groups, { page, limit: 25 }, { live, keep: true })
  const [shown, setShown] = useState<MessageGroup | null>(null)
  if (shown) return <GroupMessages group={shown} back={() => setShown(null)} />
  return (
    <QueryState of={groups}>
      {({ rows, total }) =>
        rows.length === 0 ? (
          <Text c="dimmed">{t('Sendings to several orders stand here with their numbers and cost.')}</Text>
        ) : (
          <Stack gap="md">
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Sendings')}</Table.Th>
                  <Table.Th>{t('Messages')}</Table.Th>
                  <Table.Th ta="end">{t('Cost')}</Table.Th>
                  <Table.Th />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map(group => (
                  <GroupRow key={group.id} group={group} open={() => setShown(group)} />
                ))}
              </Table.Tbody>
            </Table>
            <Pager page={page} pages={Math.ceil(total / 25)} turn={setPage} />
          </Stack>
        )
      }
    </QueryState>
  )
}

function GroupRow({ group, open }: { group: MessageGroup; open: () => void }) {
  const t = useT()
  const cancel = useSend(messages.cancelGroup, { refreshes: messageRefreshes, said: t('Messages cancelled') })
  const waiting = group.counts.queued ?? 0
  const ask = async () => {
    const title = t('Cancel {{count}} messages?', { count: waiting })
    if (
      await confirm({
        title,
        body: t('What is sent already stays sent.'),
        action: t('Cancel messages'),
        keep: t('Keep messages'),
        danger: true,
      })
    )
      cancel.mutate({ id: group.id })
  }
  return (
    <Table.Tr>
      <Table.Td>
        <Button variant="subtle" size="compact-sm" onClick={open}>
          {group.title || t('Own text')}
        </Button>
        <Text size="xs" c="dimmed" px={8}>
          {[group.actor, instant(group.created_at)].join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm">
          {stateOrder
            .filter(state => (group.counts[state] ?? 0) > 0)
            .map(state => `${t(stateWords[state])} ${number(group.counts[state] ?? 0)}`)
            .join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td ta="end" className="num">
        {group.channel === 'sms' ? priceWord(group.price_micro, group.currency) : '–'}
      </Table.Td>
      <Table.Td>
        {waiting > 0 ? (
          <Button size="compact-sm" variant="subtle" color="brick" loading={cancel.isPending} onClick={() => void ask()}>
            {t('Cancel')}
          </Button>
        ) : null}
      </Table.Td>
    </Table.Tr>
  )
}

function GroupMessages({ group, back }: { group: MessageGroup; back: () => void }) {
  const t = useT()
  const [page, setPage] = useState(1)
  const list = useCall(messages.group, { id: group.id, page, limit: 50 }, { live, keep: true })
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text fw={600}>{group.title}</Text>
        <Button variant="default" size="compact-md" onClick={back}>
          {t('Back')}
        </Button>
      </Group>
      <QueryState of={list}>
        {({ rows, total }) => (
          <>
            <Table verticalSpacing="xs">
              <Table.Tbody>
                {rows.map(row => (
                  <Table.Tr key={row.id}>
                    <Table.Td>
                      {row.order_id === null ? (
                        '–'
                      ) : (
                        <Link to="/parcels/orders" search={{ id: row.order_id }}>
                          {row.order_no ?? ''}
                        </Link>
                      )}
                    </Table.Td>
                    <Table.Td>{row.name || row.address}</Table.Td>
                    <Table.Td>
                      <MessageBadge of={row} />
                    </Table.Td>
                    <Table.Td>{reasonWord(t, row.reason)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <Pager page={page} pages={Math.ceil(total / 50)} turn={setPage} />
          </>
        )}
      </QueryState>
    </Stack>
  )
}
