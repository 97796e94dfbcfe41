/** Many orders at once: first what will happen to which, then for each what happened. */
import { Alert, Button, Group, List, Menu, Stack, Table, Text, Textarea } from '@mantine/core'
import { IconChevronDown, IconLock, IconPin, IconPrinter, IconShoppingCart } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { access } from '#contract/access.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import type { BulkProps } from '#features/orders/orders/OrderList.tsx'
import { phaseWord } from '#features/orders/orders/order.labels.tsx'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Phase, SettableState } from '#features/orders/orders/orders.rules.ts'
import type { BulkResult, OrderRow } from '#features/orders/orders/orders.schemas.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { useDevice, useDevicePrinter } from '#ui/device/device-storage.ts'
import { ActionBar } from '#ui/kit/ActionBar.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { number } from '#ui/kit/format.ts'
import { Progress } from '#ui/kit/Progress.tsx'
import { toastError, toastInfo, toastSuccess, toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { useBlockReload } from '#ui/query/app-config.ts'
import { CallError } from '#ui/query/call-error.ts'
import { keyOf, send } from '#ui/query/calls.ts'
import { invalidate } from '#ui/query/query-invalidation.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'

type Deed = SettableState | 'lock' | 'pin' | 'unpin' | 'print'
/** Where this device's labels come out. */
interface Press {
  printer_id: number
  packing_station: string
}
type Result = Pick<BulkResult, 'id' | 'order_no' | 'done' | 'key' | 'values' | 'message'>
type Filters = BulkProps['filters']
interface Chosen {
  id: number
  order_no: string
  phase: Phase
  /** Not known of an order on another page of the list. */
  pinned?: boolean
}

/** What undoes a deed; other deeds are not undone. */
const undoing: Partial<Record<Deed, Undoing>> = { lock: 'unlock', pin: 'unpin', unpin: 'pin' }
type Undoing = 'unlock' | 'pin' | 'unpin'

/** More would be a report, not a bulk action. */
const most = 5_000
const step = 50

export function BulkActions({ selection, list, filters }: BulkProps) {
  const t = useT()
  const [asked, setAsked] = useState<{ deed: Deed; chosen: Chosen[] } | null>(null)
  const [looking, setLooking] = useState(false)
  const mayAdmin = useIsAllowed(access.parcelsAdmin)
  const mayReopen = useIsAllowed(access.scanAdmin)
  const packing_station = useDevice('packingStation') ?? 'office'
  const printer_id = useDevicePrinter('label')
  const go = useNavigate()
  const { user } = useSignedIn()
  const mayPick = useIsAllowed(access.lists) && user.is_main_company
  /** The office looks at what a list of them would be before it makes one. */
  const pick = async () => {
    setLooking(true)
    try {
      go('/lists/pick', { tab: 'new', orders: (await chosenOf(selection, list, filters)).map(one => one.id) })
    } catch (error) {
      toastError(error)
    } finally {
      setLooking(false)
    }
  }
  const press = printer_id === null ? null : { printer_id, packing_station }

  const ask = async (deed: Deed) => {
    setLooking(true)
    try {
      setAsked({ deed, chosen: await chosenOf(selection, list, filters) })
    } catch (error) {
      toastError(error)
    } finally {
      setLooking(false)
    }
  }
  return (
    <>
      <ActionBar selection={selection} list={list} canTakeAll>
        <Menu position="top-end">
          <Menu.Target>
            <Button size="compact-md" rightSection={<IconChevronDown size={16} />} loading={looking}>
              {t('Set status')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void ask('ready')}>{t('Release')}</Menu.Item>
            <Menu.Item disabled={!mayReopen} onClick={() => void ask('picked')}>
              {t('Reopen')}
              {mayReopen ? null : <AskSomeone />}
            </Menu.Item>
            <Menu.Item disabled={!mayAdmin} onClick={() => void ask('closed')}>
              {t('Close')}
              {mayAdmin ? null : <AskSomeone />}
            </Menu.Item>
            <Menu.Item disabled={!mayAdmin} color="brick" onClick={() => void ask('cancelled')}>
              {t('Cancel')}
              {mayAdmin ? null : <AskSomeone />}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconPrinter size={16} />}
          disabled={looking || press === null}
          title={press === null ? t('Select a label printer for this device in the settings first') : undefined}
          onClick={() => void ask('print')}
        >
          {t('Print labels')}
        </Button>
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconLock size={16} />}
          disabled={looking}
          onClick={() => void ask('lock')}
        >
          {t('Lock')}
        </Button>
        <Button size="compact-md" variant="default" leftSection={<IconPin size={16} />} disabled={looking} onClick={() => void ask('pin')}>
          {t('Pin')}
        </Button>
        <Button size="compact-md" variant="default" disabled={looking} onClick={() => void ask('unpin')}>
          {t('Unpin')}
        </Button>
        {mayPick ? (
          <Button
            size="compact-md"
            variant="default"
            leftSection={<IconShoppingCart size={16} />}
            disabled={looking}
            onClick={() => void pick()}
          >
            {t('Pick them')}
          </Button>
        ) : null}
      </ActionBar>
      {asked ? (
        <BulkDialog
          {...asked}
          press={press}
          close={refused => {
            setAsked(null)
            selection.clear()
            if (refused.length > 0) selection.set(refused, true)
          }}
          leave={() => setAsked(null)}
        />
      ) : null}
    </>
  )
}

/** Why an item of the menu cannot be chosen. */
function AskSomeone() {
  const t = useT()
  return (
    <Text size="sm" c="dimmed">
      {t('Ask a lead to do this.')}
    </Text>
  )
}

/** Everything chosen, by name: those on this page, or all that match, asked for page by page. */
async function chosenOf(selection: BulkProps['selection'], list: BulkProps['list'], filters: Filters): Promise<Chosen[]> {
  const asChosen = ({ id, order_no, phase, pinned }: OrderRow): Chosen => ({ id, order_no, phase, pinned })
  if (!selection.all) {
    const here = new Map(list.rows.map(row => [row.id, asChosen(row)]))
    return [...selection.keys].map(key => here.get(Number(key)) ?? { id: Number(key), order_no: String(key), phase: 'new' as const })
  }
  const chosen: Chosen[] = []
  for (let page = 1; chosen.length < most; page++) {
    const { rows } = await send(orders.search, { ...filters, query: filters.query, page, limit: 500 })
    chosen.push(...rows.filter(row => selection.has(row.id)).map(asChosen))
    if (rows.length < 500) break
  }
  return chosen.slice(0, most)
}

interface DialogProps {
  deed: Deed
  chosen: readonly Chosen[]
  press: Press | null
  /** Done: the refused ones stay chosen. */
  close: (refused: number[]) => void
  leave: () => void
}

function BulkDialog({ deed, chosen, press, close, leave }: DialogProps) {
  const t = useT()
  const cache = useQueryClient()
  const [note, setNote] = useState('')
  const [results, setResults] = useState<Result[]>([])
  const [state, setState] = useState<'asking' | 'running' | 'done'>('asking')
  const [began] = useState(() => new Date().toISOString())
  useBlockReload(state === 'running', 'orders are being changed')
  const count = chosen.length

  const titles: Record<Deed, string> = {
    ready: t('Release {{count}} orders', { count }),
    picked: t('Reopen {{count}} orders', { count }),
    closed: t('Close {{count}} orders', { count }),
    cancelled: t('Cancel {{count}} orders', { count }),
    lock: t('Lock {{count}} orders', { count }),
    pin: t('Pin {{count}} orders', { count }),
    unpin: t('Unpin {{count}} orders', { count }),
    print: t('Print the labels of {{count}} orders', { count }),
  }
  const effects: Record<Deed, string> = {
    ready: t('New orders may then be picked and packed. Orders that are held, or further on already, are left alone.'),
    picked: t('Packed parcels are unpacked: their labels are taken back, and everything is scanned again. Other orders are left alone.'),
    closed: t('Orders whose parcels have all arrived or come back are closed. Other orders are left alone.'),
    cancelled: t('Orders that are not packed yet are cancelled. Picked items have to go back to their bins. This cannot be undone.'),
    lock: t('No one can pack or send them until they are unlocked. Packing in progress stops immediately.'),
    pin: t('They stand at the top of every list until they are unpinned.'),
    unpin: t('They go back to their places in the lists.'),
    print: t('Labels that came out before are printed as marked copies. Orders without a label are left alone.'),
  }

  const run = async () => {
    setState('running')
    const all: Result[] = []
    for (let from = 0; from < chosen.length; from += step) {
      const some = chosen.slice(from, from + step)
      all.push(...(await doSome(deed, some, note.trim(), press)))
      setResults([...all])
    }
    setState('done')
    await refresh()
    const inverse = undoing[deed]
    // What was pinned before stays pinned.
    const changed = chosen.filter(
      one => all.some(result => result.id === one.id && result.done) && !(deed === 'lock' ? false : one.pinned === (deed === 'pin')),
    )
    if (inverse && changed.length > 0) toastWithUndo(saidOf(deed, changed.length), () => void undo(inverse, changed).catch(toastError))
  }
  const refresh = () => Promise.all([orders.search, orders.count, orders.get].map(call => invalidate(cache, { queryKey: keyOf(call) })))
  const saidOf = (did: Deed, count: number) =>
    did === 'lock'
      ? t('{{count}} orders locked', { count })
      : did === 'pin'
        ? t('{{count}} orders pinned', { count })
        : t('{{count}} orders unpinned', { count })
  const undo = async (inverse: Undoing, changed: readonly Chosen[]) => {
    const undone: Result[] = []
    for (let from = 0; from < changed.length; from += step)
      undone.push(...(await doSome(inverse, changed.slice(from, from + step), '', null)))
    await refresh()
    const failed = undone.filter(one => !one.done)
    if (failed.length === 0) toastSuccess(t('The change is undone'))
    else toastInfo(t('Not undone: {{orders}}', { orders: failed.map(one => one.order_no).join(', ') }))
  }
  const refused = results.filter(result => !result.done)
  const finish = () => close(refused.map(result => result.id))

  return (
    <Dialog
      opened
      size={640}
      onClose={() => (state === 'asking' ? leave() : state === 'done' ? finish() : undefined)}
      withCloseButton={state !== 'running'}
      title={titles[deed]}
    >
      {state === 'asking' ? (
        <Stack>
          <Text>{effects[deed]}</Text>
          <Summary chosen={chosen} />
          {count === most ? <Alert color="amber">{t('At most {{count}} orders are changed at once.', { count: most })}</Alert> : null}
          {deed === 'lock' ? (
            <Textarea
              label={t('Why')}
              description={t('Shown to everyone who works on one of these orders.')}
              autosize
              minRows={2}
              maxLength={2_000}
              value={note}
              onChange={event => setNote(event.currentTarget.value)}
              data-autofocus
            />
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              {t('Keep them as they are')}
            </Button>
            <Button
              color={deed === 'cancelled' ? 'brick' : undefined}
              onClick={() => void run()}
              data-autofocus={deed !== 'lock' || undefined}
            >
              {titles[deed]}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack>
          {state === 'running' ? <Progress label={titles[deed]} done={results.length} total={count} began={began} /> : null}
          {state === 'done' ? (
            <Text role="status" fw={600}>
              {t('Done: {{done}}. Left alone: {{refused}}.', {
                done: number(results.length - refused.length),
                refused: number(refused.length),
              })}
            </Text>
          ) : null}
          {refused.length > 0 ? (
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('Order')}</Table.Th>
                  <Table.Th>{t('Reason')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {refused.slice(0, 200).map(result => (
                  <Table.Tr key={result.id}>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>{result.order_no ?? result.id}</Table.Td>
                    <Table.Td>{result.key ? t(result.key, result.values) : result.message}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          ) : null}
          {state === 'done' ? (
            <Group justify="flex-end">
              {refused.length > 0 ? <Text c="dimmed">{t('Those left alone stay selected.')}</Text> : null}
              <Button onClick={finish} data-autofocus>
                {t('Back to the list')}
              </Button>
            </Group>
          ) : null}
        </Stack>
      )}
    </Dialog>
  )
}

/** Which orders: how many in each state, and the first by their numbers. */
function Summary({ chosen }: { chosen: readonly Chosen[] }) {
  const t = useT()
  const byPhase = new Map<Phase, number>()
  for (const { phase } of chosen) byPhase.set(phase, (byPhase.get(phase) ?? 0) + 1)
  const named = chosen.slice(0, 12).map(one => one.order_no)
  return (
    <div>
      <List size="sm">
        {[...byPhase].map(([phase, count]) => (
          <List.Item key={phase}>
            {phaseWord(phase)}: {number(count)}
          </List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed" mt={4}>
        {named.join(', ')}
        {chosen.length > named.length ? ` ${t('and {{count}} more', { count: chosen.length - named.length })}` : ''}
      </Text>
    </div>
  )
}

async function doSome(deed: Deed | Undoing, some: readonly Chosen[], note: string, press: Press | null): Promise<Result[]> {
  if (deed === 'print') return press === null ? [] : printed(some, press)
  if (deed === 'ready' || deed === 'picked' || deed === 'closed' || deed === 'cancelled') {
    try {
      return (await send(orders.setStateBulk, { state: deed, body: { orders: some.map(one => one.id) } })).results
    } catch (error) {
      return some.map(one => refusedBy(one, error))
    }
  }
  return Promise.all(
    some.map(async one => {
      try {
        if (deed === 'lock') await send(orderLocks.lock, { id: one.id, body: { note } })
        else if (deed === 'unlock') await send(orderLocks.unlock, { id: one.id })
        else await send(deed === 'pin' ? orders.pin : orders.unpin, { id: one.id })
        return { id: one.id, order_no: one.order_no, done: true, key: null, values: {}, message: null }
      } catch (error) {
        return refusedBy(one, error)
      }
    }),
  )
}

/** One after the other, in the order of the list: so the labels lie on the pile as the orders stand on the screen. */
async function printed(some: readonly Chosen[], press: Press): Promise<Result[]> {
  const results: Result[] = []
  for (const one of some)
    try {
      await send(labels.print, { order_id: one.id, ...press })
      results.push({ id: one.id, order_no: one.order_no, done: true, key: null, values: {}, message: null })
    } catch (error) {
      results.push(refusedBy(one, error))
    }
  return results
}

function refusedBy(one: Chosen, error: unknown): Result {
  const refusal = error instanceof CallError ? error : new CallError(444)
  return {
    id: one.id,
    order_no: one.order_no,
    done: false,
    key: refusal.key,
    values: Object.fromEntries(Object.entries(refusal.values ?? {}).map(([name, value]) => [name, value ?? null])),
    message: refusal.message,
  }
}
