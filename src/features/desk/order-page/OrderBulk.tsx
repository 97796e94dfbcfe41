/** Many orders at once: a preview of what will happen to which, then a job that reports on each. Labels are printed by this device. */

import { Alert, Button, Group, List, Menu, Select, Stack, Table, Text, Textarea } from '@mantine/core'
import { IconChevronDown, IconHandStop, IconPrinter, IconShoppingCart, IconTag } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { access } from '#contract/access.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { namesOfTags, useTagNames } from '#features/company/tags/TagChips.tsx'
import { NoTags, TagChange } from '#features/company/tags/TagPicker.tsx'
import type { BulkAction } from '#features/orders/bulk-jobs/bulk-jobs.codes.ts'
import { bulkJobs } from '#features/orders/bulk-jobs/bulk-jobs.contract.ts'
import type { BulkArgs, BulkJob, BulkPreview } from '#features/orders/bulk-jobs/bulk-jobs.schemas.ts'
import { bulkWords } from '#features/orders/bulk-jobs/bulk-words.client.ts'
import { mostCombined } from '#features/orders/orders/combinations/combinations.codes.ts'
import { reasonWord } from '#features/orders/orders/locks/hold-reasons.client.ts'
import { holdReasons } from '#features/orders/orders/locks/order-locks.codes.ts'
import type { BulkProps } from '#features/orders/orders/OrderList.tsx'
import { phaseWord } from '#features/orders/orders/order.labels.tsx'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Phase } from '#features/orders/orders/orders.rules.ts'
import type { BulkResult, OrderRow } from '#features/orders/orders/orders.schemas.ts'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { useDevice, useDevicePrinter } from '#ui/device/device-storage.ts'
import { ActionBar } from '#ui/kit/ActionBar.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { MenuAction } from '#ui/kit/MenuAction.tsx'
import { Progress } from '#ui/kit/Progress.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { useBlockReload } from '#ui/query/app-config.ts'
import { CallError } from '#ui/query/call-error.ts'
import { keyOf, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { invalidate } from '#ui/query/query-invalidation.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { CombineSavings } from './CombineSavings.tsx'

const CombineDialog = lazy(() => import('./CombineDialog.tsx'))

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
}

/** More would be a report, not a pile of labels. */
const mostLabels = 5_000
const step = 50

export default function BulkActions({ selection, list, filters }: BulkProps) {
  const t = useT()
  const [action, setAction] = useState<BulkAction | null>(null)
  const [printing, setPrinting] = useState<Chosen[] | null>(null)
  const [looking, setLooking] = useState(false)
  const [combining, setCombining] = useState<Chosen[] | null>(null)
  const mayAdmin = useIsAllowed(access.parcelsAdmin)
  const mayReopen = useIsAllowed(access.scanAdmin)
  const packing_station = useDevice('packingStation') ?? 'office'
  const printer_id = useDevicePrinter('label')
  const go = useNavigate()
  const { user } = useSignedIn()
  const mayPick = useIsAllowed(access.lists) && user.is_main_company
  const mayCombine = !selection.all && selection.keys.size >= 2 && selection.keys.size <= mostCombined
  const press = printer_id === null ? null : { printer_id, packing_station }
  const look = async (use: (chosen: Chosen[]) => void) => {
    setLooking(true)
    try {
      use(await chosenOf(selection, list, filters))
    } catch (error) {
      toastError(error)
    } finally {
      setLooking(false)
    }
  }
  const leave = (refused: number[]) => {
    setAction(null)
    setPrinting(null)
    selection.clear()
    if (refused.length > 0) selection.set(refused, true)
  }
  return (
    <>
      <ActionBar selection={selection} list={list} canTakeAll>
        <Menu position="top-end">
          <Menu.Target>
            <Button size="compact-md" rightSection={<IconChevronDown size={16} />}>
              {t('Set status')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setAction('release')}>{t('Release')}</Menu.Item>
            <MenuAction why={!mayReopen && t('Ask a lead to do this.')} onClick={() => setAction('reopen')}>
              {t('Reopen')}
            </MenuAction>
            <MenuAction why={!mayAdmin && t('Ask a lead to do this.')} onClick={() => setAction('close')}>
              {t('Close')}
            </MenuAction>
            <MenuAction why={!mayAdmin && t('Ask a lead to do this.')} color="brick" onClick={() => setAction('cancel')}>
              {t('Cancel')}
            </MenuAction>
          </Menu.Dropdown>
        </Menu>
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconPrinter size={16} />}
          disabled={looking}
          {...disabledBecause(press === null && t('Select a label printer for this device in the settings first'))}
          onClick={() => void look(setPrinting)}
        >
          {t('Print labels')}
        </Button>
        <Button size="compact-md" variant="default" leftSection={<IconHandStop size={16} />} onClick={() => setAction('hold')}>
          {t('Hold')}
        </Button>
        <Button size="compact-md" variant="default" leftSection={<IconTag size={16} />} onClick={() => setAction('tag')}>
          {t('Tag')}
        </Button>
        {mayPick ? (
          <Button
            size="compact-md"
            variant="default"
            leftSection={<IconShoppingCart size={16} />}
            disabled={looking}
            onClick={() => void look(chosen => go('/lists/pick', { tab: 'new', orders: chosen.map(one => one.id) }))}
          >
            {t('Pick them')}
          </Button>
        ) : null}
        <Menu position="top-end">
          <Menu.Target>
            <Button size="compact-md" variant="default" rightSection={<IconChevronDown size={16} />}>
              {t('More')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setAction('method')}>{t('Set shipping method')}</Menu.Item>
            <MenuAction why={!mayCombine && t('Select 2 to 10 orders')} onClick={() => void look(setCombining)}>
              {t('Combine into one parcel')}
            </MenuAction>
            <Menu.Item onClick={() => setAction('combine')}>{t('Combine by recipient')}</Menu.Item>
            <Menu.Item onClick={() => setAction('lock')}>{t('Lock')}</Menu.Item>
            <Menu.Item onClick={() => setAction('pin')}>{t('Pin')}</Menu.Item>
            <Menu.Item onClick={() => setAction('unpin')}>{t('Unpin')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </ActionBar>
      {action ? (
        <BulkDialog
          action={action}
          chosen={
            selection.all ? { filters, except: [...selection.keys].map(Number) } : { ids: [...selection.keys].map(Number), except: [] }
          }
          close={leave}
          leave={() => setAction(null)}
        />
      ) : null}
      {combining ? (
        <Suspense>
          <CombineDialog orders={combining.map(one => one.id)} close={() => setCombining(null)} done={() => selection.clear()} />
        </Suspense>
      ) : null}
      {printing && press ? <PrintDialog chosen={printing} press={press} close={leave} leave={() => setPrinting(null)} /> : null}
    </>
  )
}

/** Why an item of the menu cannot be chosen. */
/** Everything chosen, by name: those on this page, or all that match, asked for page by page. */
async function chosenOf(selection: BulkProps['selection'], list: BulkProps['list'], filters: Filters): Promise<Chosen[]> {
  const asChosen = ({ id, order_no, phase }: OrderRow): Chosen => ({ id, order_no, phase })
  if (!selection.all) {
    const here = new Map(list.rows.map(row => [row.id, asChosen(row)]))
    return [...selection.keys].map(key => here.get(Number(key)) ?? { id: Number(key), order_no: String(key), phase: 'new' as const })
  }
  const chosen: Chosen[] = []
  for (let page = 1; chosen.length < mostLabels; page++) {
    const { rows } = await send(orders.search, { ...filters, query: filters.query, page, limit: 500 })
    chosen.push(...rows.filter(row => selection.has(row.id)).map(asChosen))
    if (rows.length < 500) break
  }
  return chosen.slice(0, mostLabels)
}

const noArgs: BulkArgs = { note: '', add: [], remove: [] }
/** Actions that need more than a yes. */
const asks = (action: BulkAction) => action === 'hold' || action === 'lock' || action === 'method' || action === 'tag'

interface BulkDialogProps {
  action: BulkAction
  chosen: { ids: number[]; except: number[] } | { filters: Filters; except: number[] }
  /** Ended: those that were left alone stay chosen. */
  close: (refused: number[]) => void
  leave: () => void
}

/** What is asked, what would happen, and how far it is. */
function BulkDialog({ action, chosen, close, leave }: BulkDialogProps) {
  const t = useT()
  const words = bulkWords()[action]
  const [args, setArgs] = useState<BulkArgs>({ ...noArgs, ...(action === 'hold' && { reason: 'other' }) })
  const [preview, setPreview] = useState<BulkPreview | null>(null)
  const [job_id, setJob] = useState<number | null>(null)
  const look = useCommand((wanted: BulkArgs) => send(bulkJobs.preview, { action, body: { ...chosen, args: wanted } }), { done: setPreview })
  const start = useSend(bulkJobs.start, { refreshes: [jobs.list], done: answer => setJob(answer.job_id) })
  // Actions without a question are previewed at once.
  const { mutate } = look
  useEffect(() => {
    if (!asks(action)) mutate(noArgs)
  }, [action, mutate])
  const isWhole = action === 'method' ? args.method !== undefined : action === 'tag' ? args.add.length + args.remove.length > 0 : true
  const back = () => {
    if (asks(action)) setPreview(null)
    else leave()
  }
  if (job_id !== null) return <Running job_id={job_id} title={words.title} close={close} />
  return (
    <Dialog opened size={640} onClose={leave} title={words.title}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (preview) start.mutate({ id: preview.bulk_id })
          else look.mutate(args)
        }}
      >
        <Stack>
          <Text>{words.effect}</Text>
          {preview ? (
            <Foreseen preview={preview} />
          ) : asks(action) ? (
            <Questions action={action} args={args} set={setArgs} />
          ) : look.error ? null : (
            <Text c="dimmed">{t('Looking at the orders …')}</Text>
          )}
          {look.error && !preview ? <Alert color="brick">{look.error.message}</Alert> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={preview ? back : leave}>
              {preview && asks(action) ? t('Back') : t('Keep them as they are')}
            </Button>
            {preview ? (
              <Button
                type="submit"
                color={action === 'cancel' ? 'brick' : undefined}
                loading={start.isPending}
                {...disabledBecause(preview.would_do === 0 && t('Nothing to change'))}
                data-autofocus
              >
                {words.run(preview.would_do)}
              </Button>
            ) : asks(action) ? (
              <Button type="submit" loading={look.isPending} {...disabledBecause(!isWhole && t('Fill in all fields first'))}>
                {t('Preview')}
              </Button>
            ) : null}
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function Questions({ action, args, set }: { action: BulkAction; args: BulkArgs; set: (args: BulkArgs) => void }) {
  const t = useT()
  const { init } = useSignedIn()
  const options = namesOfTags(useTagNames())
  const methods = useCall(orders.shippingOptions, {}, { enabled: action === 'method', fresh: 600_000 })
  if (action === 'tag')
    return options.length === 0 ? <NoTags /> : <TagChange options={options} change={args} set={change => set({ ...args, ...change })} />
  if (action === 'method')
    return (
      <Select
        label={t('Shipping method')}
        description={init.CompanyLookup.length > 1 ? t('Orders of companies without this method are left alone.') : undefined}
        data={(methods.data ?? []).map(option => ({ value: option.method, label: t(option.name) }))}
        value={args.method ?? null}
        onChange={method => set({ ...args, method: method ?? undefined })}
        searchable
        data-autofocus
      />
    )
  return (
    <>
      {action === 'hold' ? (
        <Select
          label={t('Reason')}
          data={holdReasons.map(value => ({ value, label: reasonWord(value) }))}
          value={args.reason ?? 'other'}
          onChange={value => set({ ...args, reason: holdReasons.find(reason => reason === value) ?? 'other' })}
        />
      ) : null}
      <Textarea
        label={t('Why')}
        description={t('Shown to everyone who works on one of these orders.')}
        autosize
        minRows={2}
        maxLength={2_000}
        value={args.note}
        onChange={event => set({ ...args, note: event.currentTarget.value })}
        data-autofocus
      />
    </>
  )
}

/** How many would be changed, which would be left alone and why, and the first of them. */
function Foreseen({ preview }: { preview: BulkPreview }) {
  const t = useT()
  return (
    <Stack gap="xs">
      <Text fw={600} role="status">
        {t('{{count}} orders can be changed.', { count: preview.would_do })}
        {preview.asked > preview.would_do ? ` ${t('{{count}} are left alone:', { count: preview.asked - preview.would_do })}` : ''}
      </Text>
      {preview.parcels ? (
        <div>
          <Text>{t('They become {{count}} parcels.', { count: preview.parcels })}</Text>
          <CombineSavings bulk_id={preview.bulk_id} />
        </div>
      ) : null}
      {preview.refused.length > 0 ? (
        <List size="sm">
          {preview.refused.map(({ key, values, count }) => (
            <List.Item key={key}>
              {number(count)} · {t(key, values)}
            </List.Item>
          ))}
        </List>
      ) : null}
      <Table>
        <Table.Tbody>
          {preview.rows.map(row => (
            <Table.Tr key={row.order_id}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{row.order_no}</Table.Td>
              <Table.Td>{phaseWord(row.phase)}</Table.Td>
              <Table.Td>
                {row.key === null ? (
                  row.lead_no === null ? (
                    <StateBadge tone="done">{t('To be changed')}</StateBadge>
                  ) : row.lead_no === row.order_no ? (
                    t('Carries parcel')
                  ) : (
                    t('In the parcel of {{order_no}}', { order_no: row.lead_no })
                  )
                ) : (
                  <Text c="dimmed">{t(row.key, row.values)}</Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {preview.asked > preview.rows.length ? (
        <Text size="sm" c="dimmed">
          {t('and {{count}} more', { count: preview.asked - preview.rows.length })}
        </Text>
      ) : null}
      {preview.undoable ? null : <Text size="sm">{t('This cannot be undone.')}</Text>}
    </Stack>
  )
}

/** The job in the dialog in which it was started; it goes on when the dialog is closed. */
function Running({ job_id, title, close }: { job_id: number; title: string; close: (refused: number[]) => void }) {
  const t = useT()
  const cache = useQueryClient()
  const job = useCall(bulkJobs.get, { id: job_id }, { live: ['job'], every: 2_000 })
  const state = job.data?.state
  const ended = state === 'done' || state === 'failed' || state === 'cancelled'
  const refused = useCall(bulkJobs.rows, { id: job_id, state: ['refused'], limit: 200 }, { enabled: ended })
  const cancel = useSend(jobs.cancel, { refreshes: [bulkJobs.get] })
  useEffect(() => {
    if (ended) for (const call of [orders.search, orders.count, orders.get]) void invalidate(cache, { queryKey: keyOf(call) })
  }, [ended, cache])
  const finish = () => close((refused.data?.rows ?? []).map(row => row.order_id))
  return (
    <Dialog opened size={640} onClose={finish} title={title}>
      <QueryState of={job}>
        {(now: BulkJob) => (
          <Stack>
            {ended ? (
              <Text role="status" fw={600}>
                {t('Done: {{done}}. Left alone: {{refused}}.', { done: number(now.done + now.undone), refused: number(now.refused) })}
              </Text>
            ) : (
              <Progress
                label={title}
                done={now.asked - now.waiting}
                total={now.asked}
                began={now.started_at}
                cancel={() => cancel.mutate({ id: job_id })}
                cancelling={cancel.isPending}
              />
            )}
            {(refused.data?.rows.length ?? 0) > 0 ? (
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('Order')}</Table.Th>
                    <Table.Th>{t('Reason')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {refused.data?.rows.map(row => (
                    <Table.Tr key={row.order_id}>
                      <Table.Td style={{ whiteSpace: 'nowrap' }}>{row.order_no}</Table.Td>
                      <Table.Td>{row.key === null ? '' : t(row.key, row.values)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            ) : null}
            <Group justify="flex-end">
              {now.refused > 0 && ended ? <Text c="dimmed">{t('Those left alone stay selected.')}</Text> : null}
              <Button component={Link} to="/parcels/bulk" search={{ job: job_id }} variant="default">
                {now.may_undo ? t('Report and undo') : t('Report')}
              </Button>
              <Button onClick={finish} data-autofocus>
                {t('Back to the list')}
              </Button>
            </Group>
          </Stack>
        )}
      </QueryState>
    </Dialog>
  )
}

interface PrintProps {
  chosen: readonly Chosen[]
  press: Press
  close: (refused: number[]) => void
  leave: () => void
}

function PrintDialog({ chosen, press, close, leave }: PrintProps) {
  const t = useT()
  const cache = useQueryClient()
  const [results, setResults] = useState<Result[]>([])
  const [state, setState] = useState<'asking' | 'running' | 'done'>('asking')
  const [began] = useState(() => new Date().toISOString())
  useBlockReload(state === 'running', 'labels are being printed')
  const count = chosen.length
  const title = t('Print the labels of {{count}} orders', { count })
  const run = async () => {
    setState('running')
    const all: Result[] = []
    for (let from = 0; from < chosen.length; from += step) {
      all.push(...(await printed(chosen.slice(from, from + step), press)))
      setResults([...all])
    }
    setState('done')
    await Promise.all([orders.search, orders.count, orders.get].map(call => invalidate(cache, { queryKey: keyOf(call) })))
  }
  const refused = results.filter(result => !result.done)
  const finish = () => close(refused.map(result => result.id))
  return (
    <Dialog
      opened
      size={640}
      onClose={() => (state === 'asking' ? leave() : state === 'done' ? finish() : undefined)}
      withCloseButton={state !== 'running'}
      title={title}
    >
      {state === 'asking' ? (
        <Stack>
          <Text>{t('Labels that came out before are printed as marked copies. Orders without a label are left alone.')}</Text>
          <Summary chosen={chosen} />
          {count === mostLabels ? (
            <Alert color="amber">{t('At most {{count}} orders are changed at once.', { count: mostLabels })}</Alert>
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              {t('Keep them as they are')}
            </Button>
            <Button onClick={() => void run()} data-autofocus>
              {title}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack>
          {state === 'running' ? <Progress label={title} done={results.length} total={count} began={began} /> : null}
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
