/** Papers that a courier returned beside its labels, such as customs declarations: each can be saved. */
import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, send } from '#ui/query/calls.ts'
import { labels } from './labels.contract.ts'
import type { Shipment, ShipmentDocument } from './labels.schemas.ts'
import { documentWord } from './shipment.labels.tsx'

export function ShipmentDocuments({ shipment: { shipment_id, documents } }: { shipment: Pick<Shipment, 'shipment_id' | 'documents'> }) {
  const t = useT()
  const save = async ({ document_no }: ShipmentDocument) => {
    try {
      saveFile(await send(labels.file, { id: shipment_id, document: document_no }))
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <Group gap="xs">
      {documents.map(document => (
        <Button
          key={document.document_no}
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={16} />}
          aria-label={t('Save {{document}}', { document: documentWord(document.kind) })}
          onClick={() => void save(document)}
        >
          {`${documentWord(document.kind)} · ${document.format.toUpperCase()}`}
        </Button>
      ))}
    </Group>
  )
}
