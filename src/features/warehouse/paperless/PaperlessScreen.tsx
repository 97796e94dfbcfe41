/** The pool of totes: where each paperless code is, new codes and their labels, and what people say about them by hand. */
import { Alert, Button, Drawer, Group, Modal, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconDownload, IconPlus, IconPrinter } from '@tabler/icons-react'
import { type FormEvent, useMemo, useState } from 'react'
import * as z from 'zod'
import { access } from '#contract/access.ts'
import { PhaseBadge } from '#features/orders/orders/OrderWords.tsx'
import type { Phase } from '#features/orders/orders/orders.rules.ts'
import { saveFile, useCall, useSend } from '#web/calls.ts'
import { Go } from '#web/Go.tsx'
import { useMay } from '#web/session.ts'
import { useT } from '#web/translate.ts'
import { ActionBar } from '#web/ui/ActionBar.tsx'
import { confirm } from '#web/ui/Confirm.tsx'
import { type Column, DataTable, type RowAction } from '#web/ui/DataTable.tsx'
import { NothingYet } from '#web/ui/Empty.tsx'
import { FilterBar, type View } from '#web/ui/FilterBar.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { type List, usePages, useSelection } from '#web/ui/pages.ts'
import { said } from '#web/ui/toasts.ts'
import { When } from '#web/ui/When.tsx'
import { useUrlState } from '#web/url.ts'
import { CodeLabels } from './CodeLabels.tsx'
import style from './Paperless.module.css'
import { CodeBadge, codeStateWord, placeWord } from './PaperlessWords.tsx'
import { type CodeResult, CodeState, codeStates, type MappedCode, paperless } from './paperless.contract.ts'

const Url = z.object({
  query: z.string().default(''),
  state: z.array(CodeState).default([]),
  page: z.coerce.number<unknown>().int().min(1).default(1),
  /** The open code's digits. */
  open: z.string().default(''),
})

const keyOf = (row: MappedCode) => row.digits
const refreshes = [paperless.mapping, paperless.one]

export function PaperlessScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(Url)
  const question = { query: url.query, ...(url.state.length > 0 && { state: url.state }) }
  const list = usePages(paperless.mapping, { ...question, page: url.page, limit: 50 }, { keyOf: keyOf as never })
  // Any change of a code asks anew for all pages of the pool: rows change in their places.
  const pool = useCall(paperless.mapping, { limit: 1 }, { live: ['paperless'], fresh: 2_000 }).data
  const selection = useSelection([url.query, url.state])
  const mayAdmin = useMay(access.picksAdmin)
  const [labels, setLabels] = useState<{ digits: string[] | null } | null>(null)
  const deeds = useDeeds()
  const save = useSend(paperless.export, { done: file => saveFile(file) })

  const columns = useMemo<Column<MappedCode>[]>(
    () => [
      {
        key: 'code',
        title: t('Code'),
        width: 110,
        cell: row => (
          <Go to="/lists/paperless" search={{ open: row.digits }} className={style.code}>
            {row.code}
          </Go>
        ),
      },
      { key: 'state', title: t('State'), width: 170, cell: row => <CodeBadge state={row.state} /> },
      {
        key: 'order',
        title: t('Order'),
        width: 130,
        cell: row =>
          row.order ? (
            <Go to="/parcels/orders" search={{ id: row.order.id }}>
              {row.order.order_no}
            </Go>
          ) : (
            ''
          ),
      },
      { key: 'phase', title: t('Order is'), width: 170, cell: row => (row.order ? <PhaseBadge phase={row.order.phase as Phase} /> : '') },
      {
        key: 'place',
        title: t('Place'),
        width: 210,
        cell: row =>
          row.pick_list_id === null ? (
            ''
          ) : (
            <Go to="/lists/pick" search={{ id: row.pick_list_id }}>
              {placeWord(row)}
            </Go>
          ),
      },
      { key: 'station', title: t('Station'), width: 110, cell: row => row.station ?? '' },
      { key: 'since', title: t('Since'), width: 140, cell: row => (row.since ? <When at={row.since} as="age" /> : '') },
      { key: 'company', title: t('Company'), width: 130, hidden: true, cell: row => row.order?.company ?? '' },
      {
        key: 'printed',
        title: t('Label'),
        width: 120,
        hidden: true,
        cell: row => (row.printed_at ? <When at={row.printed_at} as="day" /> : '–'),
      },
    ],
    [t],
  )
  const views: View[] = [
    { key: 'all', title: t('All'), search: {} },
    ...codeStates.map(state => ({
      key: state,
      title: codeStateWord(state),
      search: { state: [state] },
      ...(pool && { count: pool.counts[state] }),
    })),
  ]
  const chosen = () => [...selection.keys].map(String)
  const after = (results: readonly CodeResult[]) => {
    selection.clear()
    selection.set(
      results.filter(result => !result.done).map(result => result.digits),
      true,
    )
  }
  const rowActions = (row: MappedCode): RowAction[] => [
    { label: t('Print its label'), run: () => setLabels({ digits: [row.digits] }) },
    row.state === 'lost'
      ? { label: t('Mark as found'), run: () => void deeds.run('found', [row.digits]) }
      : { label: t('Mark as lost'), run: () => void deeds.run('lost', [row.digits]) },
    {
      label: t('Free by hand'),
      run: () => deeds.askFree([row.digits]),
      why: !mayAdmin
        ? t('This needs the right {{right}}', { right: 'pick_admin' })
        : row.state === 'free' || row.state === 'lost'
          ? t('It carries nothing')
          : null,
    },
    {
      label: t('Take out of the pool'),
      danger: true,
      run: () => void deeds.run('remove', [row.digits]),
      why: !mayAdmin
        ? t('This needs the right {{right}}', { right: 'pick_admin' })
        : row.state === 'free' || row.state === 'lost'
          ? null
          : t('It is in use'),
    },
  ]

  return (
    <Page
      title={t('Paperless codes')}
      fill
      actions={
        <>
          <Button variant="default" leftSection={<IconDownload size={16} />} loading={save.isPending} onClick={() => save.mutate(question)}>
            {t('Export')}
          </Button>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setLabels({ digits: null })}>
            {t('New codes')}
          </Button>
        </>
      }
    >
      <DataTable
        name="paperless"
        label={t('Paperless codes')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ open: row.digits })}
        opened={url.open || null}
        onPage={page => setUrl({ page })}
        selection={selection}
        rowActions={rowActions}
        bulk={
          <ActionBar selection={selection} list={list as List<unknown>}>
            <Button size="compact-md" leftSection={<IconPrinter size={14} />} onClick={() => setLabels({ digits: chosen() })}>
              {t('Print labels')}
            </Button>
            <Button size="compact-md" variant="default" onClick={() => void deeds.run('lost', chosen()).then(after)}>
              {t('Mark as lost')}
            </Button>
            <Button size="compact-md" variant="default" onClick={() => void deeds.run('found', chosen()).then(after)}>
              {t('Mark as found')}
            </Button>
            <Button size="compact-md" variant="default" disabled={!mayAdmin} onClick={() => deeds.askFree(chosen(), after)}>
              {t('Free by hand')}
            </Button>
            <Button
              size="compact-md"
              variant="default"
              color="brick"
              disabled={!mayAdmin}
              onClick={() => void deeds.run('remove', chosen()).then(after)}
            >
              {t('Take out of the pool')}
            </Button>
          </ActionBar>
        }
        toolbar={
          <FilterBar
            name="paperless"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Code, order or list') }}
            filters={[
              {
                key: 'state',
                label: t('State'),
                kind: 'many',
                options: codeStates.map(value => ({ value, label: codeStateWord(value) })),
                value: url.state,
                set: state => setUrl({ state: state as CodeState[] }),
              },
            ]}
            views={views}
          />
        }
        filtered={url.query !== '' || url.state.length > 0}
        clearFilters={() => setUrl({ query: '', state: [] })}
        empty={
          <NothingYet
            title={t('No paperless codes yet')}
            action={<Button onClick={() => setLabels({ digits: null })}>{t('New codes')}</Button>}
          >
            {t('Each tote gets a label with a code of its own. Scanning it at the bench opens the order that lies in it.')}
          </NothingYet>
        }
        card={row => (
          <div className={style.card}>
            <div className={style.cardLine}>
              <span className={style.code}>{row.code}</span>
              <CodeBadge state={row.state} />
            </div>
            <div className={style.cardLine}>
              <span className={style.dim}>{[row.order?.order_no, placeWord(row)].filter(Boolean).join(' · ')}</span>
              {row.since ? <When at={row.since} as="age" /> : null}
            </div>
          </div>
        )}
      />
      <CodeDrawer digits={url.open} close={() => setUrl({ open: '' })} deeds={deeds} print={digits => setLabels({ digits: [digits] })} />
      {labels ? (
        <CodeLabels
          digits={labels.digits}
          next={pool?.next ?? 1}
          close={done => {
            setLabels(null)
            if (done) list.showNews()
          }}
        />
      ) : null}
      {deeds.dialogs}
    </Page>
  )
}

type Deed = 'lost' | 'found' | 'free' | 'remove'

/** What is said about codes by hand; what was refused is shown code by code. */
function useDeeds() {
  const t = useT()
  const [refused, setRefused] = useState<readonly CodeResult[]>([])
  const [freeing, setFreeing] = useState<{ codes: string[]; after: (results: readonly CodeResult[]) => void } | null>(null)
  const calls = {
    lost: useSend(paperless.lost, { refreshes }),
    found: useSend(paperless.foundAgain, { refreshes }),
    free: useSend(paperless.free, { refreshes }),
    remove: useSend(paperless.remove, { refreshes }),
  }
  const sentences: Record<Deed, (count: number) => string> = {
    lost: count => t('{{count}} codes are marked as lost', { count }),
    found: count => t('{{count}} codes are back', { count }),
    free: count => t('{{count}} codes are free', { count }),
    remove: count => t('{{count}} codes are out of the pool', { count }),
  }
  const run = async (deed: Deed, codes: readonly string[], more: object = {}): Promise<readonly CodeResult[]> => {
    if (codes.length === 0) return []
    if (
      deed === 'remove' &&
      !(await confirm({
        title: t('Take {{count}} codes out of the pool', { count: codes.length }),
        body: t('Their labels mean nothing any more. Codes that carry something stay.'),
        action: t('Take out of the pool'),
        danger: true,
      }))
    )
      return codes.map(digits => ({ digits, done: false, message: null, key: null, values: {} }))
    const answer = await calls[deed].mutateAsync({ body: { codes: [...codes], ...more } as never }).catch(() => null)
    if (!answer) return []
    const done = answer.results.filter(result => result.done).length
    if (done > 0) said(sentences[deed](done))
    setRefused(answer.results.filter(result => !result.done))
    return answer.results
  }
  const dialogs = (
    <>
      {freeing ? (
        <FreeDialog
          codes={freeing.codes}
          close={() => setFreeing(null)}
          free={async more => {
            setFreeing(null)
            freeing.after(await run('free', freeing.codes, more))
          }}
        />
      ) : null}
      <Modal
        opened={refused.length > 0}
        onClose={() => setRefused([])}
        title={t('{{count}} codes were left as they are', { count: refused.length })}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        <ul className={style.refused}>
          {refused.map(result => (
            <li key={result.digits}>{result.key ? t(result.key, result.values) : `PP${result.digits}`}</li>
          ))}
        </ul>
      </Modal>
    </>
  )
  return {
    run,
    askFree: (codes: string[], after: (results: readonly CodeResult[]) => void = () => {}) => setFreeing({ codes, after }),
    dialogs,
  }
}
type Deeds = ReturnType<typeof useDeeds>

function FreeDialog({
  codes,
  close,
  free,
}: {
  codes: readonly string[]
  close: () => void
  free: (more: { even_open: boolean; note: string }) => Promise<void>
}) {
  const t = useT()
  const [even_open, setEven] = useState(false)
  const [note, setNote] = useState('')
  return (
    <Modal
      opened
      onClose={close}
      title={t('Free {{count}} codes', { count: codes.length })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="md">
        <Text size="sm">
          {t('Codes of orders that are done with are freed. Where an order is open, or pieces have to go back, the code stays.')}
        </Text>
        <Switch
          label={t('Free them also where an order is open')}
          description={t('The order has no tote then, and is opened at the bench by its number.')}
          checked={even_open}
          onChange={event => setEven(event.currentTarget.checked)}
        />
        <TextInput label={t('Why')} value={note} maxLength={200} onChange={event => setNote(event.currentTarget.value)} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('Leave them')}
          </Button>
          <Button color={even_open ? 'brick' : 'harbour'} onClick={() => void free({ even_open, note })}>
            {t('Free {{count}} codes', { count: codes.length })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function CodeDrawer({ digits, close, deeds, print }: { digits: string; close: () => void; deeds: Deeds; print: (digits: string) => void }) {
  const t = useT()
  const code = useCall(paperless.one, { id: digits }, { enabled: digits !== '', live: ['paperless'] })
  return (
    <Drawer
      opened={digits !== ''}
      onClose={close}
      position="right"
      size="md"
      title={`PP${digits}`}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {digits === '' ? null : <Loaded of={code}>{one => <CodeFacts key={one.digits} code={one} deeds={deeds} print={print} />}</Loaded>}
    </Drawer>
  )
}

function CodeFacts({ code, deeds, print }: { code: MappedCode; deeds: Deeds; print: (digits: string) => void }) {
  const t = useT()
  const mayAdmin = useMay(access.picksAdmin)
  const lost = code.state === 'lost'
  return (
    <Stack gap="md">
      <div>
        <CodeBadge state={code.state} />
      </div>
      {code.put_backs > 0 ? (
        <Alert color="amber" title={t('Pieces in it have to go back into their bins')}>
          <Go to="/lists/pick/tasks" search={{ tab: 'put_backs', query: code.code }}>
            {t('Show the put-backs')}
          </Go>
        </Alert>
      ) : null}
      {lost && code.order ? (
        <Alert color="amber">
          {t('It was lost with order {{order_no}}. When it is found, it carries that order again.', { order_no: code.order.order_no })}
        </Alert>
      ) : null}
      <dl className={style.facts}>
        {code.order ? (
          <>
            <Fact name={t('Order')}>
              <Go to="/parcels/orders" search={{ id: code.order.id }}>
                {code.order.order_no}
              </Go>
            </Fact>
            <Fact name={t('Order is')}>
              <PhaseBadge phase={code.order.phase as Phase} />
            </Fact>
            <Fact name={t('Company')}>{code.order.company}</Fact>
          </>
        ) : null}
        {code.pick_list_id !== null ? (
          <Fact name={t('Place')}>
            <Go to="/lists/pick" search={{ id: code.pick_list_id }}>
              {placeWord(code)}
            </Go>
          </Fact>
        ) : null}
        {code.station ? <Fact name={t('Station')}>{code.station}</Fact> : null}
        {code.since ? (
          <Fact name={t('Since')}>
            <When at={code.since} as="instant" />
          </Fact>
        ) : null}
        <Fact name={t('Label')}>{code.printed_at ? <When at={code.printed_at} as="day" /> : t('Not printed')}</Fact>
      </dl>
      {code.state === 'free' ? <Bind code={code} /> : null}
      <Group gap="xs">
        <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => print(code.digits)}>
          {t('Print its label')}
        </Button>
        <Button variant="default" onClick={() => void deeds.run(lost ? 'found' : 'lost', [code.digits])}>
          {lost ? t('Mark as found') : t('Mark as lost')}
        </Button>
        {mayAdmin && !lost && code.state !== 'free' ? (
          <Button variant="default" onClick={() => deeds.askFree([code.digits])}>
            {t('Free by hand')}
          </Button>
        ) : null}
      </Group>
    </Stack>
  )
}

function Bind({ code }: { code: MappedCode }) {
  const t = useT()
  const [order, setOrder] = useState('')
  const bind = useSend(paperless.bind, {
    refreshes,
    said: answer => t('{{code}} carries order {{order_no}} now', { code: answer.code, order_no: answer.order?.order_no ?? '' }),
    done: () => setOrder(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (order.trim() !== '') bind.mutate({ id: code.digits, body: { order: order.trim() } })
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        <TextInput
          label={t('Put an order into it')}
          description={t('Order number or order code')}
          value={order}
          onChange={event => setOrder(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={bind.isPending} disabled={order.trim() === ''}>
          {t('Bind')}
        </Button>
      </Group>
    </form>
  )
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
