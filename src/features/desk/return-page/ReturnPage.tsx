/** One return: what was sent beside what came back, what becomes of each piece, and what the shop is asked to pay. */
import { Button, FileButton, Menu } from '@mantine/core'
import { IconCamera, IconLink, IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { messages } from '#features/messages/messages/messages.contract.ts'
import { ReturnItems } from '#features/returns/returns/ReturnItems.tsx'
import { ReturnMoney } from '#features/returns/returns/ReturnMoney.tsx'
import style from '#features/returns/returns/Returns.module.css'
import { methodWord, ReturnBadge, sourceWord } from '#features/returns/returns/return.labels.tsx'
import type { ReturnDialog } from '#features/returns/returns/return-dialog.client.ts'
import { returnChange } from '#features/returns/returns/return-refreshes.client.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import type { Return, ReturnItem } from '#features/returns/returns/returns.schemas.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { DetailPage, type DetailPageProps, type Fact, Panel, StatusStrip, type StripTone } from '#ui/kit/DetailPage.tsx'
import { dayOf, money, number } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { useScanHandler, useScanner } from '#ui/scanner/handlers.tsx'
import { ReturnHistory } from './ReturnHistory.tsx'
import { ReturnLabel } from './ReturnLabel.tsx'

const OrderPhotos = lazy(() => import('#features/packing/packing-photos/OrderPhotos.tsx'))
const OrderVideos = lazy(() => import('#features/packing/packing-video/OrderVideos.tsx'))
const OrderMessages = lazy(() => import('#features/messages/messages/OrderMessages.tsx'))
const ReturnDialogs = lazy(() => import('#features/returns/returns/ReturnDialogs.tsx'))

interface ReturnPageProps {
  id: number
  back: DetailPageProps['back']
  open: (id: number) => void
}

export default function ReturnPage({ id, back, open }: ReturnPageProps) {
  const t = useT()
  const found = useCall(returns.get, { id }, { live: [{ topic: 'return', id }, 'pick_task'] })
  const withLabel = { ...back, label: t('Back to the list') }
  if (found.data === undefined)
    return (
      <Page title={t('Return')} back={withLabel}>
        <QueryState of={found}>{() => null}</QueryState>
      </Page>
    )
  return <OpenReturn of={found.data} back={withLabel} open={open} />
}

function OpenReturn({ of, back, open }: { of: Return; back: DetailPageProps['back']; open: (id: number) => void }) {
  const t = useT()
  const { play } = useScanner()
  const works = useIsAllowed(returns.scan.access)
  const reads = useIsAllowed(messages.thread.access)
  const [dialog, setDialog] = useState<ReturnDialog | null>(null)
  const can = (action: Return['supported_actions'][number]) => works && of.supported_actions.includes(action)
  const { id, version } = of
  const approve = useSend(returns.approve, { ...returnChange, said: t('The return is approved') })
  const arrive = useSend(returns.arrive, { ...returnChange, said: t('The parcel has arrived') })
  const close = useSend(returns.close, { ...returnChange })
  const inspected = of.items.filter(({ custody }) => custody === 'inspected')
  const next = of.items.find(({ custody }) => waiting.includes(custody))
  useScanHandler({
    match: code => (dialog !== null || !can('inspect') || code.kind === 'refused' || code.kind === 'command' ? null : code.text),
    handle: text => {
      const serial = of.items.find(item => waiting.includes(item.custody) && item.sent_serials.includes(text))
      const item = serial ?? of.items.find(one => waiting.includes(one.custody) && isCodeOf(one, text))
      play(item ? 'ok' : 'error')
      setDialog(item ? { kind: 'inspect', item, ...(serial && { serial: text }) } : { kind: 'add', code: text })
    },
  })
  const askClose = async () => {
    if (
      await confirm({
        title: t('Close return {{rma_no}} again?', { rma_no: of.rma_no }),
        body: t('Nothing more is done to its items and its money.'),
        action: t('Close return'),
      })
    )
      close.mutate({ id, body: { version } })
  }
  // The main step stands beside the title, and not a second time among the others.
  const main = can('approve')
    ? 'approve'
    : can('inspect') && next
      ? 'inspect'
      : (['link', 'decide', 'propose', 'close'] as const).find(action => can(action))
  const primary =
    main === 'approve' ? (
      <Button loading={approve.isPending} onClick={() => approve.mutate({ id, body: { version } })}>
        {t('Approve')}
      </Button>
    ) : main === 'inspect' && next ? (
      <Button onClick={() => setDialog({ kind: 'inspect', item: next })}>{t('Inspect')}</Button>
    ) : main === 'link' ? (
      <Button leftSection={<IconLink size={16} />} onClick={() => setDialog({ kind: 'link' })}>
        {t('Link to an order')}
      </Button>
    ) : main === 'decide' ? (
      <Button onClick={() => setDialog({ kind: 'decide', items: inspected })}>{t('Decide')}</Button>
    ) : main === 'propose' ? (
      <Button onClick={() => setDialog({ kind: 'propose' })}>{t('Propose refund')}</Button>
    ) : main === 'close' ? (
      <Button loading={close.isPending} onClick={() => void askClose()}>
        {t('Close return')}
      </Button>
    ) : undefined
  const facts: Fact[] = [
    {
      name: t('Order'),
      value:
        of.order_id === null ? (
          (of.claimed_order_no ?? '–')
        ) : (
          <Link to="/parcels/orders" search={{ id: of.order_id }}>
            {of.order_no}
          </Link>
        ),
    },
    { name: t('Customer'), value: of.customer ?? '–' },
    { name: t('Requested'), value: <RelativeTime at={of.requested_at} /> },
    { name: t('Arrived'), value: <RelativeTime at={of.arrived_at} /> },
    { name: t('Sent by'), value: methodWord(of.method) },
    { name: t('Refund due'), value: <RelativeTime at={of.refund_due_at} as="day" /> },
  ]
  const details: Fact[] = [
    { name: t('Came by'), value: sourceWord(of.source) },
    { name: t('Company'), value: of.company },
    ...(of.contact_email ? [{ name: t('E-mail'), value: of.contact_email }] : []),
    ...(of.contact_phone ? [{ name: t('Phone'), value: of.contact_phone }] : []),
    ...(of.note ? [{ name: t('Note'), value: of.note }] : []),
    ...(of.reason ? [{ name: t('Reason'), value: of.reason }] : []),
    ...(of.drop_off ? [{ name: t('Handed in at'), value: `${of.drop_off.name}, ${of.drop_off.postcode} ${of.drop_off.city}` }] : []),
    ...(of.shelf ? [{ name: t('Shelf'), value: of.shelf }] : []),
    ...(of.fee > 0 ? [{ name: t('Fee'), value: money(of.fee, of.currency) }] : []),
    ...(of.applied_rules.length > 0 ? [{ name: t('Rules'), value: of.applied_rules.join(', ') }] : []),
    ...(of.expires_at ? [{ name: t('Ends unless sent'), value: <RelativeTime at={of.expires_at} as="day" /> }] : []),
  ]
  return (
    <DetailPage
      title={of.rma_no}
      documentTitle={t('Return {{rma_no}}', { rma_no: of.rma_no })}
      copyLabel={t('Copy return number')}
      badge={
        <>
          <ReturnBadge status={of.status} />
          {of.withdrawal ? <StateBadge tone="soon">{t('Withdrawal')}</StateBadge> : null}
        </>
      }
      back={back}
      primary={primary}
      more={
        works && of.supported_actions.length > 0 ? (
          <>
            {can('inspect') && of.arrived_at === null ? (
              <Menu.Item onClick={() => arrive.mutate({ id, body: { version } })}>{t('The parcel is here')}</Menu.Item>
            ) : null}
            {can('inspect') ? (
              <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => setDialog({ kind: 'add', code: '' })}>
                {t('Add an item not announced')}
              </Menu.Item>
            ) : null}
            {can('decide') && main !== 'decide' ? (
              <Menu.Item onClick={() => setDialog({ kind: 'decide', items: inspected })}>{t('Decide')}</Menu.Item>
            ) : null}
            {can('propose') && main !== 'propose' ? (
              <Menu.Item onClick={() => setDialog({ kind: 'propose' })}>{t('Propose refund')}</Menu.Item>
            ) : null}
            {can('link') && main !== 'link' ? (
              <Menu.Item onClick={() => setDialog({ kind: 'link' })}>{t('Link to an order')}</Menu.Item>
            ) : null}
            {can('close') && main !== 'close' ? <Menu.Item onClick={() => void askClose()}>{t('Close return')}</Menu.Item> : null}
            {can('reopen') ? <Menu.Item onClick={() => setDialog({ kind: 'reopen' })}>{t('Reopen return')}</Menu.Item> : null}
            {can('reject') ? (
              <Menu.Item color="brick" onClick={() => setDialog({ kind: 'reject' })}>
                {t('Reject return')}
              </Menu.Item>
            ) : null}
            {can('cancel') ? (
              <Menu.Item color="brick" onClick={() => setDialog({ kind: 'cancel' })}>
                {t('Cancel return')}
              </Menu.Item>
            ) : null}
          </>
        ) : undefined
      }
      strip={<Strip of={of} />}
      facts={facts}
      details={details}
      side={
        <>
          <ReturnLabel id={id} />
          <Parcels of={of} />
          <Photos of={of} works={works} />
        </>
      }
    >
      <ReturnItems of={of} ask={works ? setDialog : null} />
      <ReturnMoney of={of} ask={works ? setDialog : null} />
      <Suspense>
        {of.order_id === null ? null : (
          <>
            <OrderPhotos order_id={of.order_id} />
            <OrderVideos order_id={of.order_id} />
            {reads ? <OrderMessages order_id={of.order_id} place={6} /> : null}
          </>
        )}
      </Suspense>
      <ReturnHistory id={id} />
      <Suspense>{dialog ? <ReturnDialogs of={of} dialog={dialog} close={() => setDialog(null)} open={open} /> : null}</Suspense>
    </DetailPage>
  )
}

const waiting: readonly ReturnItem['custody'][] = ['advised', 'in_transit', 'received', 'added']

const isCodeOf = ({ sku, barcode }: ReturnItem, text: string): boolean =>
  text === barcode || (sku !== null && text.toUpperCase() === sku.toUpperCase())

/** What blocks the return, or comes next. */
function Strip({ of }: { of: Return }) {
  const t = useT()
  const missing = of.items.filter(({ custody, money: state }) => custody === 'missing' && state === 'pending').length
  const owed = of.items.some(({ money: state }) => state === 'pending' || state === 'proposed' || state === 'in_doubt')
  const say = (): [StripTone, string] | null => {
    if (of.items.some(({ money: state }) => state === 'in_doubt'))
      return ['stop', t('Nobody knows whether the shop has paid. Ask the shop.')]
    if (of.items.some(({ serial_check }) => serial_check === 'wrong')) return ['stop', t('A serial number does not belong to this order.')]
    if (of.order_id === null && of.status !== 'cancelled') return ['soon', t('No order is known for this return. Link it to one.')]
    if (of.refund_due_at !== null && owed) {
      const left = Date.parse(of.refund_due_at) - Date.now()
      const values = { day: dayOf(of.refund_due_at) }
      if (left < 0) return ['stop', t('The refund was due on {{day}}', values)]
      return [left < 3 * 86_400_000 ? 'stop' : 'soon', t('Withdrawal: the refund is due on {{day}}', values)]
    }
    if (of.status === 'requested' && of.exempt) return ['soon', t('Withdrawal of goods that the law excludes: approve or reject it')]
    if (of.status === 'requested') return ['soon', t('Waits for approval')]
    if (missing > 0 && of.status === 'awaiting_review')
      return ['soon', t('{{count}} items are missing. Propose or deny their refund.', { count: missing })]
    if (of.status === 'awaiting_review') return ['soon', t('Someone has to look at this return')]
    return null
  }
  const said = say()
  return said ? <StatusStrip tone={said[0]}>{said[1]}</StatusStrip> : null
}

function Parcels({ of }: { of: Return }) {
  const t = useT()
  if (of.parcels.length === 0) return null
  return (
    <Panel title={t('Parcels')} count={number(of.parcels.length)} flush place={4}>
      {of.parcels.map(parcel => (
        <div key={parcel.id} className={style.row}>
          <div className={style.what}>
            <span className={style.name}>{parcel.tracking_no ?? t('Without a number')}</span>
            <span className={style.dim}>
              {parcel.arrived_at === null ? (
                t('Not arrived yet')
              ) : (
                <>
                  {t('Arrived')} <RelativeTime at={parcel.arrived_at} /> · {parcel.arrived_by}
                </>
              )}
            </span>
          </div>
        </div>
      ))}
    </Panel>
  )
}

function Photos({ of, works }: { of: Return; works: boolean }) {
  const t = useT()
  const add = useSend(returns.addFile, { ...returnChange, said: t('Photo added') })
  if (of.files.length === 0 && !works) return null
  return (
    <Panel
      title={t('Photos')}
      count={of.files.length || null}
      place={5}
      actions={
        works ? (
          <FileButton
            accept="image/jpeg,image/png,image/webp"
            capture="environment"
            onChange={file => file && add.mutate({ id: of.id, kind: 'arrival', upload: file })}
          >
            {props => (
              <Button {...props} size="compact-sm" variant="default" leftSection={<IconCamera size={16} />} loading={add.isPending}>
                {t('Add photo')}
              </Button>
            )}
          </FileButton>
        ) : null
      }
    >
      {of.files.length === 0 ? (
        <span className={style.dim}>{t('No photos yet')}</span>
      ) : (
        <div className={style.photos}>
          {of.files.map(file => (
            <ImageView
              key={file.file_id}
              from={{ call: returns.file, input: { id: of.id, file_id: file.file_id } }}
              sku={of.rma_no}
              name={of.items.find(({ id }) => id === file.item_id)?.name ?? t('Parcel')}
              size={112}
            />
          ))}
        </div>
      )}
    </Panel>
  )
}
