/** How often each packer asked a lead by each rule, and what came of it: above the log, for the same span and filters. */
import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { number } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { type Received, type Sending, saveFile, send, useCall, useCommand } from '#ui/query/calls.ts'
import { approvals } from './approval.contract.ts'
import { actLabels } from './approval.labels.ts'

type Question = Sending<typeof approvals.totals>
type Totals = Received<typeof approvals.totals>['all']

export function ApprovalTotals({ question }: { question: Question }) {
  const t = useT()
  const answer = useCall(approvals.totals, question, { live: ['approval'], keep: true })
  const save = useCommand((asked: Question) => send(approvals.exportTotals, asked), { done: saveFile })
  if (!answer.data || answer.data.all.asked === 0) return null
  const { all, rows } = answer.data
  return (
    <details>
      <summary>
        {[
          t('{{count}} asked', { count: all.asked, formatted: number(all.asked) }),
          t('{{count}} rejected', { count: all.refused }),
          t('{{count}} without an answer', { count: all.expired }),
          all.median_ms === null ? '' : t('half answered within {{seconds}} s', { seconds: secondsOf(all) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </summary>
      <Stack gap="xs" my="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {t('By packer and rule, the most frequent first.')}
          </Text>
          <Button
            size="compact-md"
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={save.isPending}
            onClick={() => save.mutate(question)}
          >
            {t('Export totals')}
          </Button>
        </Group>
        <Table.ScrollContainer minWidth={560} mah="20rem">
          <Table verticalSpacing={4} stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Asked by')}</Table.Th>
                <Table.Th>{t('Rule')}</Table.Th>
                <Table.Th ta="end">{t('Asked')}</Table.Th>
                <Table.Th ta="end">{t('Approved')}</Table.Th>
                <Table.Th ta="end">{t('Rejected')}</Table.Th>
                <Table.Th ta="end">{t('No answer')}</Table.Th>
                <Table.Th ta="end">{t('Median wait')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(row => (
                <Table.Tr key={`${row.asked_by} ${row.act} ${row.rule}`}>
                  <Table.Td>{row.asked_by}</Table.Td>
                  <Table.Td>{row.act === 'rule' ? row.rule : t(actLabels[row.act])}</Table.Td>
                  <Table.Td ta="end">{number(row.asked)}</Table.Td>
                  <Table.Td ta="end">{number(row.approved)}</Table.Td>
                  <Table.Td ta="end">{number(row.refused)}</Table.Td>
                  <Table.Td ta="end">{number(row.expired)}</Table.Td>
                  <Table.Td ta="end">{row.median_ms === null ? '–' : t('{{seconds}} s', { seconds: secondsOf(row) })}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Stack>
    </details>
  )
}

const secondsOf = ({ median_ms }: Pick<Totals, 'median_ms'>): string => number(Math.round((median_ms ?? 0) / 1000))
