/** What was found in a file: each reason once, with how often it was met. */
import { Table, Text } from '@mantine/core'
import { severityTones, severityWords } from '#domain/row-severity.ts'
import { number } from '#ui/kit/format.ts'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import style from './Imports.module.css'
import { spokenValues } from './import.labels.ts'
import type { ImportReason } from './order-imports.schemas.ts'

export const ImportFigure = ({ count, word }: { count: number; word: string }) => (
  <div className={style.figure}>
    <strong>{number(count)}</strong>
    <span>{word}</span>
  </div>
)

export function ImportReasons({ reasons, help }: { reasons: readonly ImportReason[]; help?: string }) {
  const t = useT()
  if (reasons.length === 0) return null
  return (
    <section className={style.part}>
      <h2>{t('What was found')}</h2>
      {help ? <p>{help}</p> : null}
      <Table.ScrollContainer
        minWidth={560}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': t('What was found') } }}
      >
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={90} ta="right">
                {t('Times')}
              </Table.Th>
              <Table.Th w={140}>{t('Outcome')}</Table.Th>
              <Table.Th>{t('Why')}</Table.Th>
              <Table.Th w={200}>{t('Rows')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {reasons.map(reason => (
              <Table.Tr key={`${reason.severity} ${reason.text} ${reason.message}`}>
                <Table.Td ta="right" fw={500}>
                  {number(reason.count)}
                </Table.Td>
                <Table.Td>
                  <StateBadge tone={severityTones[reason.severity]}>{t(severityWords[reason.severity])}</StateBadge>
                </Table.Td>
                <Table.Td>
                  {t(reason.text, spokenValues(reason.values, t))}
                  {reason.count > 1 && Object.keys(reason.values).length > 0 ? (
                    <Text size="xs" c="dimmed">
                      {t('for example')}
                    </Text>
                  ) : null}
                </Table.Td>
                <Table.Td c="dimmed">{reason.rows.map(number).join(', ') + (reason.count > reason.rows.length ? ' …' : '')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}
