/** What is decided about the selected exceptions together, and the report of what became of each. */
import { Button, Menu, Table, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { MenuAction } from '#ui/kit/MenuAction.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { decisionWords, resolutionWord } from './exception.labels.tsx'
import { type BulkResolution, isRetry } from './exceptions.codes.ts'
import { exceptions } from './exceptions.contract.ts'
import type { ExceptionResult } from './exceptions.schemas.ts'

export function DecideMany({ ids, decide, busy }: { ids: readonly number[]; decide: (resolution: BulkResolution) => void; busy: boolean }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const fitting = useCall(exceptions.decisions, { ids: [...ids] }, { enabled: open, fresh: 0 })
  const count = ids.length
  const run = async (resolution: BulkResolution) => {
    const { title, effect } = decisionWords(resolution)
    const sure = await confirm({
      title: t('Decide about {{count}} exceptions?', { count }),
      body: `${title}. ${effect}`,
      action: resolution === 'retry_label' ? t('Try again') : t('Resolve'),
      danger: resolution === 'cancel_lines',
    })
    if (sure) decide(resolution)
  }
  return (
    <Menu position="top-end" opened={open} onChange={setOpen}>
      <Menu.Target>
        <Button size="compact-md" variant="default" loading={busy} rightSection={<IconChevronDown size={16} />}>
          {t('Decide')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <QueryState of={fitting} shape="rows">
          {({ resolutions }) =>
            resolutions.length === 0 ? (
              <MenuAction why={t('Select exceptions of one sort: about items, or about labels.')} onClick={() => undefined}>
                {t('Nothing fits all of them')}
              </MenuAction>
            ) : (
              resolutions.map(resolution => (
                <Menu.Item key={resolution} onClick={() => void run(resolution)}>
                  {decisionWords(resolution).title}
                </Menu.Item>
              ))
            )
          }
        </QueryState>
      </Menu.Dropdown>
    </Menu>
  )
}

/** What was refused stands first. */
export function DecisionReport({ results, close }: { results: readonly ExceptionResult[]; close: () => void }) {
  const t = useT()
  const left = results.filter(result => !result.done)
  const rows = [...left, ...results.filter(result => result.done)]
  return (
    <Dialog
      opened={results.length > 0}
      onClose={close}
      title={t('{{done}} of {{count}} exceptions decided', { done: results.length - left.length, count: results.length })}
      size={600}
    >
      <Table aria-label={t('What became of each')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Order')}</Table.Th>
            <Table.Th>{t('Outcome')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ id, order_no, done, outcome, key, values }) => (
            <Table.Tr key={id}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{order_no}</Table.Td>
              <Table.Td>
                {done ? (
                  outcome === null ? (
                    <StateBadge tone="stop">{t('Refused again')}</StateBadge>
                  ) : isRetry(outcome) ? (
                    <StateBadge tone="busy">{t('Trying again')}</StateBadge>
                  ) : (
                    <StateBadge tone="done">{resolutionWord(outcome)}</StateBadge>
                  )
                ) : (
                  <Text size="sm">{key === null ? '' : t(key, values)}</Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  )
}
