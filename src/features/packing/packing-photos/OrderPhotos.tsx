/** The photos of open boxes: those of an order, or of one of its parcels. Without any there is nothing. */
import { Button, Group, Modal, Text, UnstyledButton } from '@mantine/core'
import { lazy, Suspense, useContext, useState } from 'react'
import { ShownShipment } from '#features/shipping/labels/shown-shipment.client.ts'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './OrderPhotos.module.css'
import { packingPhotos } from './packing-photos.contract.ts'
import type { PackingPhoto } from './packing-photos.schemas.ts'

const PhotoRemovalDialog = lazy(() => import('./PhotoRemovalDialog.tsx'))

interface OrderPhotosProps {
  order_id: number
  /** Of this parcel alone. */
  parcel_no?: number
  /** Beside other facts, without a frame of its own. */
  bare?: boolean
}

export default function OrderPhotos({ order_id, parcel_no, bare = false }: OrderPhotosProps) {
  const t = useT()
  const may = useIsAllowed(packingPhotos.list.access)
  const { data } = useCall(packingPhotos.list, { id: order_id }, { enabled: may, live: [{ topic: 'photo', id: order_id }] })
  const rows = data?.rows.filter(photo => parcel_no === undefined || photo.parcel_no === parcel_no) ?? []
  if (rows.length === 0) return null
  if (!bare)
    return (
      <Panel title={t('Photos of the open box')} count={rows.length} place={3}>
        <Photos rows={rows} />
      </Panel>
    )
  return (
    <section aria-label={t('Photos of the open box')}>
      <h3 className={style.heading}>{t('Photos of the open box')}</h3>
      <Photos rows={rows} />
    </section>
  )
}

/** In the drawer of a shipment. */
export function ShipmentPhotos() {
  const shipment = useContext(ShownShipment)
  return shipment ? <OrderPhotos order_id={shipment.order_id} parcel_no={shipment.parcel_no} bare /> : null
}

function Photos({ rows }: { rows: readonly PackingPhoto[] }) {
  const t = useT()
  const [opened, setOpened] = useState<PackingPhoto | null>(null)
  const [deleting, setDeleting] = useState<PackingPhoto | null>(null)
  const mayDelete = useIsAllowed(packingPhotos.remove.access)
  const nameOf = ({ parcel_no, kind }: PackingPhoto) =>
    kind === 'approval' ? t('Approval, parcel {{parcel}}', { parcel: parcel_no }) : t('Parcel {{parcel}}', { parcel: parcel_no })
  return (
    <>
      <ul className={style.photos}>
        {rows.map(photo => (
          <li key={photo.id}>
            <UnstyledButton className={style.photo} onClick={() => setOpened(photo)}>
              <ImageView from={pictureOf(photo)} sku={nameOf(photo)} size={128} />
              <Text size="sm" span>
                {nameOf(photo)}
              </Text>
              <Text size="sm" c="dimmed" span>
                {photo.station}, <RelativeTime at={photo.taken_at} />
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <Modal opened={opened !== null} onClose={() => setOpened(null)} size="auto" title={opened ? nameOf(opened) : ''}>
        {opened ? (
          <>
            <ImageView from={pictureOf(opened)} sku={nameOf(opened)} size="min(80vw, 70rem)" />
            <Text size="sm" mt="sm">
              {t('Taken by {{name}} at {{station}}', { name: opened.taken_by, station: opened.station })},{' '}
              <RelativeTime at={opened.taken_at} />
            </Text>
            {opened.held ? (
              <Text size="sm" c="dimmed">
                {t('Kept: a claim about this parcel is open.')}
              </Text>
            ) : (
              <Group justify="space-between">
                <Text size="sm" c="dimmed">
                  {t('Deleted on')} <RelativeTime at={opened.delete_after} as="day" />
                </Text>
                {mayDelete ? (
                  <Button size="compact-md" variant="subtle" color="brick" onClick={() => setDeleting(opened)}>
                    {t('Delete photo')}
                  </Button>
                ) : null}
              </Group>
            )}
          </>
        ) : null}
      </Modal>
      {deleting ? (
        <Suspense>
          <PhotoRemovalDialog
            photo={deleting}
            close={() => setDeleting(null)}
            done={() => {
              setDeleting(null)
              setOpened(null)
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}

const pictureOf = ({ id }: PackingPhoto) => ({ call: packingPhotos.picture, input: { id } })
