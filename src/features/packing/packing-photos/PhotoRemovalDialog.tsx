/** Why a photo is deleted before its time. It is loaded when somebody wants to. */
import { Textarea } from '@mantine/core'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send } from '#ui/query/calls.ts'
import { packingPhotos } from './packing-photos.contract.ts'
import { type PackingPhoto, PhotoRemoval } from './packing-photos.schemas.ts'

interface PhotoRemovalProps {
  photo: PackingPhoto
  close: () => void
  done: () => void
}

export default function PhotoRemovalDialog({ photo, close, done }: PhotoRemovalProps) {
  const t = useT()
  const edit = useEdit({
    schema: PhotoRemoval,
    initial: { reason: '' },
    save: body => send(packingPhotos.remove, { id: photo.id, body }),
    refreshes: [packingPhotos.list, orders.timeline],
    said: t('Photo deleted'),
    done,
  })
  return (
    <Dialog opened onClose={close} title={t('Delete photo of parcel {{parcel}}?', { parcel: photo.parcel_no })}>
      <Form edit={edit} action={t('Delete photo')} cancel={close} unguarded>
        <Textarea
          label={t('Reason')}
          description={t('It stands in the log of the order. The photo cannot be brought back.')}
          autosize
          minRows={2}
          data-autofocus
          {...edit.of('reason')}
        />
      </Form>
    </Dialog>
  )
}
