/** What a person should look at before the import, in one place: each point alone would hide the others. */
import { Alert, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useT } from '#ui/kit/translate.ts'
import { spokenValues } from './import.labels.ts'
import type { ImportPreview } from './order-imports.schemas.ts'

export function ImportDoubts({ doubts, unused = [] }: { doubts: ImportPreview['doubts']; unused?: readonly string[] }) {
  const t = useT()
  if (doubts.length === 0) return null
  return (
    <Alert mt="sm" color="amber" icon={<IconAlertTriangle size={16} />} title={t('Look at this before you import')}>
      <List size="sm" spacing={4}>
        {doubts.map(doubt => (
          <List.Item key={`${doubt.text} ${doubt.field} ${doubt.message}`}>{t(doubt.text, spokenValues(doubt.values, t))}</List.Item>
        ))}
        {unused.length > 0 ? <List.Item>{t('These columns are left out: {{columns}}', { columns: unused.join(', ') })}</List.Item> : null}
      </List>
    </Alert>
  )
}
