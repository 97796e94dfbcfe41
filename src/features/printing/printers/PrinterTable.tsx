/** All printers of the company: state, connection, papers, language, and who stands in for whom. */

import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { apiKeys } from '#features/company/api-keys/api-keys.contract.ts'
import { PrintNodeKey } from '#features/company/api-keys/PrintNodeKey.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { number } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { keyOf as cacheKeyOf, send, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { AddLabelPrinter } from './AddLabelPrinter.tsx'
import { PrinterBadge } from './PrinterBadge.tsx'
import { printers } from './printers.contract.ts'
import { printerName } from './printers.labels.ts'
import type { Printer, PrinterList } from './printers.schemas.ts'

const keyOf = (printer: Printer) => printer.id

interface PrinterTableProps {
  known: PrinterList
  test: { print: (printer: Printer) => void; running: boolean }
  /** What the stations use a printer for. */
  roles: (printer: Printer, wrap: 'wrap' | 'nowrap') => ReactNode
}

export function PrinterTable({ known, test, roles }: PrinterTableProps) {
  const t = useT()
  const cache = useQueryClient()
  const mayConnect = useIsAllowed(apiKeys.set.access)
  const mayChange = useIsAllowed(printers.change.access)
  const noChange = !mayChange && t('You do not have permission for this. Ask an administrator.')
  const change = useSend(printers.change, { refreshes: [printers.list], said: t('Saved') })
  const { mutate: remove } = useSend(printers.remove, { refreshes: [printers.list], said: t('Printer removed') })
  const askToRemove = useCallback(
    async (printer: Printer) => {
      const body = t('Stations that print on {{printer}} need another printer then.', { printer: printer.name })
      if (await confirm({ title: t('Remove this printer?'), body, action: t('Remove printer'), danger: true })) remove({ id: printer.id })
    },
    [t, remove],
  )
  const [asking, setAsking] = useState(false)
  const refresh = async () => {
    setAsking(true)
    try {
      cache.setQueryData(cacheKeyOf(printers.list, { refresh: false }), await send(printers.list, { refresh: true }))
    } catch (error) {
      toastError(error)
    } finally {
      setAsking(false)
    }
  }

  const key = <PrintNodeKey changed={() => void refresh()} />

  const cells = useMemo(
    () => ({
      actions: (printer: Printer) => (
        <Group gap="xs" wrap="nowrap">
          <Button size="compact-sm" variant="default" loading={test.running} onClick={() => test.print(printer)}>
            {t('Print test page')}
          </Button>
          {mayChange && printer.kind === 'raw9100' ? (
            <Button size="compact-sm" variant="subtle" color="brick" onClick={() => void askToRemove(printer)}>
              {t('Remove')}
            </Button>
          ) : null}
        </Group>
      ),
      language: (printer: Printer) => (
        <NativeSelect
          aria-label={t('Language of {{printer}}', { printer: printerName(t, printer.name) })}
          size="xs"
          {...disabledBecause(noChange || (printer.kind === 'raw9100' && t('A label printer of the network takes ZPL only.')))}
          value={printer.raw_override === null ? 'auto' : printer.raw_override ? 'zpl' : 'pdf'}
          data={[
            {
              value: 'auto',
              label: printer.raw && printer.raw_override === null ? t('Automatic: ZPL') : t('Automatic: {{format}}', { format: 'PDF' }),
            },
            { value: 'zpl', label: t('ZPL') },
            { value: 'pdf', label: t('PDF') },
          ]}
          onChange={event => {
            const { value } = event.currentTarget
            change.mutate({ id: printer.id, body: { raw_override: value === 'auto' ? null : value === 'zpl' } })
          }}
        />
      ),
      fallback: (printer: Printer) => (
        <NativeSelect
          aria-label={t('Backup for {{printer}}', { printer: printerName(t, printer.name) })}
          size="xs"
          {...disabledBecause(noChange)}
          value={printer.fallback_printer_id === null ? '' : String(printer.fallback_printer_id)}
          data={[
            { value: '', label: t('Wait for it') },
            ...known.printers
              .filter(one => one.id !== printer.id)
              .map(one => ({ value: String(one.id), label: t('Print on {{printer}}', { printer: printerName(t, one.name) }) })),
          ]}
          onChange={event => {
            const { value } = event.currentTarget
            change.mutate({ id: printer.id, body: { fallback_printer_id: value === '' ? null : Number(value) } })
          }}
        />
      ),
    }),
    [t, known.printers, mayChange, noChange, change.mutate, test, askToRemove],
  )

  const columns = useMemo<Column<Printer>[]>(
    () => [
      {
        key: 'name',
        title: t('Printer'),
        flex: 2,
        cell: printer => <span title={printer.description}>{printerName(t, printer.name)}</span>,
      },
      { key: 'state', title: t('Status'), cell: printer => <PrinterBadge state={printer.state} /> },
      { key: 'roles', title: t('Used for'), cell: printer => roles(printer, 'nowrap') },
      {
        key: 'actions',
        title: t('Actions'),
        cell: cells.actions,
      },
      { key: 'kind', title: t('Connection'), cell: printer => t(kindWords[printer.kind]) },
      { key: 'computer', title: t('Computer'), flex: 1, cell: printer => printer.computer || t('This server') },
      { key: 'papers', title: t('Papers'), cell: printer => <Papers printer={printer} /> },
      {
        key: 'raw',
        title: t('Language'),
        cell: cells.language,
      },
      {
        key: 'fallback',
        title: t('When offline'),
        cell: cells.fallback,
      },
      { key: 'last', title: t('Last print'), cell: printer => <RelativeTime at={printer.last_print_at} as="age" /> },
      {
        key: 'proved',
        title: t('Scanned back'),
        cell: printer => <RelativeTime at={printer.proved_at} as="age" />,
      },
    ],
    [t, cells, roles],
  )

  return (
    <Stack gap="md">
      <PrintNodeState known={known} />
      {mayConnect && known.printnode !== 'connected' ? key : null}
      {known.cups === 'unreachable' && known.printers.some(printer => printer.kind === 'cups') ? (
        <Alert color="brick" title={t('CUPS cannot be reached')}>
          {t('This server has CUPS, but it does not answer. The list shows what was known last.')}
        </Alert>
      ) : null}
      <Text size="sm" c="dimmed">
        {t('ZPL applies to new labels. A reprint prints what was stored.')}
      </Text>
      <DataTable
        name="printers"
        label={t('All printers')}
        columns={columns}
        list={staticList(known.printers)}
        keyOf={keyOf}
        toolbar={
          <Group gap="sm">
            <Button variant="default" leftSection={<IconRefresh size={16} />} loading={asking} onClick={() => void refresh()}>
              {t('Ask the printers again')}
            </Button>
            {mayChange ? <AddLabelPrinter /> : null}
            <Text size="sm" c="dimmed" component="span">
              {t('Asked')}: <RelativeTime at={known.asked_at} as="age" />
            </Text>
          </Group>
        }
        card={printer => (
          <RowCard>
            <RowCardLine>
              <span>{printerName(t, printer.name)}</span>
              <PrinterBadge state={printer.state} />
            </RowCardLine>
            <RowCardLine>
              <span>{t(kindWords[printer.kind])}</span>
              <RelativeTime at={printer.last_print_at} as="age" />
            </RowCardLine>
            {roles(printer, 'wrap')}
            {cells.language(printer)}
            {cells.fallback(printer)}
            {cells.actions(printer)}
          </RowCard>
        )}
      />
      {mayConnect && known.printnode === 'connected' ? key : null}
    </Stack>
  )
}

const kindWords: Record<Printer['kind'], string> = {
  printnode: 'PrintNode',
  file: 'Folder',
  cups: 'CUPS',
  raw9100: 'Network address',
  agent: 'Print agent',
}

function Papers({ printer: { papers } }: { printer: Printer }) {
  const t = useT()
  const names = Object.keys(papers)
  const all = Object.entries(papers).map(([name, [width, height]]) => `${name} (${number(width)} × ${number(height)} mm)`)
  if (names.length === 0) return <span>{t('Unknown')}</span>
  return <span title={all.join('\n')}>{names.slice(0, 3).join(', ') + (names.length > 3 ? ' …' : '')}</span>
}

function PrintNodeState({ known }: { known: PrinterList }) {
  const t = useT()
  if (known.printnode === 'connected')
    return (
      <Group gap="xs">
        <Text size="sm">PrintNode</Text>
        <StateBadge tone="done">{t('Connected')}</StateBadge>
      </Group>
    )
  if (known.printnode === 'no_key')
    return (
      <Alert color="harbour" title={t('PrintNode is not connected')}>
        {t('With a PrintNode key the printers of your computers appear here. Until then documents go into the folder of the file printer.')}
      </Alert>
    )
  return (
    <Alert color="brick" title={known.printnode === 'refused' ? t('PrintNode refuses the key') : t('PrintNode cannot be reached')}>
      <Stack gap="xs" align="flex-start">
        <span>{known.note ? t(known.note) : null}</span>
        {known.printnode === 'unreachable' ? <span>{t('The list shows what was known last.')}</span> : null}
      </Stack>
    </Alert>
  )
}
