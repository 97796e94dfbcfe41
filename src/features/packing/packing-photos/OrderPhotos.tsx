/** The photos of open boxes: those of an order, or of one of its parcels. Without any there is nothing. */
import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import { lazy, Suspense, useContext, useState } from 'react'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { ShownShipment } from '#features/shipping/labels/shown-shipment.client.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { day } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './OrderPhotos.module.css'
import { packingPhotos } from './packing-photos.contract.ts'
import type { PackingPhoto } from './packing-photos.schemas.ts'

const HoldDialog = lazy(() => import('./HoldDialog.tsx'))
const PhotoRemovalDialog = lazy(() => import('./PhotoRemovalDialog.tsx'))

const refreshes = [packingPhotos.list, orders.timeline]

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
  const [openedId, setOpenedId] = useState<number | null>(null)
  const opened = rows.find(({ id }) => id === openedId) ?? null
  const [asking, setAsking] = useState<'keep' | 'delete' | null>(null)
  const mayManage = useIsAllowed(packingPhotos.hold.access)
  const nameOf = ({ parcel_no, kind }: PackingPhoto) =>
    kind === 'approval' ? t('Approval, parcel {{parcel}}', { parcel: parcel_no }) : t('Parcel {{parcel}}', { parcel: parcel_no })
  return (
    <>
      <ul className={style.photos}>
        {rows.map(photo => (
          <li key={photo.id}>
            <UnstyledButton className={style.photo} onClick={() => setOpenedId(photo.id)}>
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
      <Dialog opened={opened !== null} onClose={() => setOpenedId(null)} size="auto" title={opened ? nameOf(opened) : ''}>
        {opened ? (
          <>
            <ImageView from={pictureOf(opened)} sku={nameOf(opened)} size="whole" />
            <Text size="sm" mt="sm">
              {t('Taken by {{name}} at {{station}}', { name: opened.taken_by, station: opened.station })},{' '}
              <RelativeTime at={opened.taken_at} />
            </Text>
            <Group justify="space-between" mt="xs">
              <Text size="sm" c="dimmed" component="div">
                <Fate photo={opened} />
              </Text>
              {mayManage ? <PhotoActions photo={opened} remove={() => setAsking('delete')} keep={() => setAsking('keep')} /> : null}
            </Group>
          </>
        ) : null}
      </Dialog>
      <Suspense>
        {opened && asking === 'delete' ? (
          <PhotoRemovalDialog
            photo={opened}
            close={() => setAsking(null)}
            done={() => {
              setAsking(null)
              setOpenedId(null)
            }}
          />
        ) : null}
        {opened && asking === 'keep' ? (
          <HoldDialog
            title={t('Keep photo')}
            held={opened}
            keep={body => send(packingPhotos.hold, { id: opened.id, body })}
            refreshes={refreshes}
            said={t('The photo is kept')}
            close={() => setAsking(null)}
          />
        ) : null}
      </Suspense>
    </>
  )
}

/** Why it stays, or until when. */
function Fate({ photo }: { photo: PackingPhoto }) {
  const t = useT()
  if (photo.held_until !== null)
    return (
      <span>
        {t('Kept until {{day}} by {{name}}: {{reason}}', {
          day: day(photo.held_until),
          name: photo.held_by_name,
          reason: photo.held_reason,
        })}
      </span>
    )
  if (photo.held) return <span>{t('Kept: a claim about this parcel is open.')}</span>
  return (
    <>
      {t('Deleted on')} <RelativeTime at={photo.delete_after} as="day" />
    </>
  )
}

interface PhotoActionsProps {
  photo: PackingPhoto
  remove: () => void
  keep: () => void
}

/** What a lead does with a photo: keeps it beyond its days, no longer, or deletes it. */
function PhotoActions({ photo, remove, keep }: PhotoActionsProps) {
  const t = useT()
  const release = useSend(packingPhotos.release, { refreshes, said: t('The photo is no longer kept') })
  const askToRelease = async () => {
    const over = Date.parse(photo.delete_after) <= Date.now()
    const sure = await confirm({
      title: t('Stop keeping this photo?'),
      body: over ? t('Its days are over: it is deleted within the hour.') : t('It is deleted when its days are over.'),
      action: t('Stop keeping'),
      keep: t('Keep photo'),
      danger: true,
    })
    if (sure) release.mutate({ id: photo.id })
  }
  return (
    <Group gap="xs">
      <Button size="compact-md" variant="default" onClick={keep}>
        {photo.held_until === null ? t('Keep photo') : t('Change')}
      </Button>
      {photo.held_until === null ? (
        photo.held ? null : (
          <Button size="compact-md" variant="subtle" color="brick" onClick={remove}>
            {t('Delete photo')}
          </Button>
        )
      ) : (
        <Button size="compact-md" variant="subtle" color="brick" loading={release.isPending} onClick={() => void askToRelease()}>
          {t('Stop keeping')}
        </Button>
      )}
    </Group>
  )
}

const pictureOf = ({ id }: PackingPhoto) => ({ call: packingPhotos.picture, input: { id } })
