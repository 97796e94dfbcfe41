/** One collect list: how far it is, its parcels, and what can be done next – scan, close, hand over, print, open again. */
import { Button, Menu } from '@mantine/core'
import { IconBarcode, IconDownload, IconLock, IconLockOpen, IconPrinter, IconTruck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { useDevicePrinter } from '#ui/device/device-storage.ts'
import { DetailPage, type Fact, StatusStrip } from '#ui/kit/DetailPage.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { number, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { toastFailure, toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, useCall, useSend } from '#ui/query/calls.ts'
import style from './Collect.module.css'
import { CloseDialog, HandOverDialog, ReopenDialog } from './CollectDialogs.tsx'
import { CollectParcels, type Show } from './CollectParcels.tsx'
import { CageMark, CollectBadge, CutOffClock } from './collect-list.labels.tsx'
import { collectLists } from './collect-lists.contract.ts'
import type { CollectList } from './collect-lists.schemas.ts'
import type { CollectProps } from './collect-lists-url.client.ts'
import { SignatureView } from './SignatureInput.tsx'

export function CollectListPage({ url, setUrl, urlWith }: CollectProps) {
  const list = useCall(collectLists.get, { id: url.id }, { live: ['collect_list', 'shipment'], keep: true })
  return (
    <QueryState of={list} shape="page">
      {answer => (
        <Opened
          list={answer}
          back={urlWith({ id: 0, show: 'all' })}
          show={url.show}
          setShow={show => setUrl({ show }, { replace: true })}
        />
      )}
    </QueryState>
  )
}

interface OpenedProps {
  list: CollectList
  /** What the list says that it was opened from. */
  back: Record<string, unknown>
  show: Show
  setShow: (show: Show) => void
}

function Opened({ list, back, show, setShow }: OpenedProps) {
  const t = useT()
  const [asking, ask] = useState<'close' | 'hand_over' | 'reopen' | null>(null)
  const shut = () => ask(null)
  const running = list.state === 'open' || list.state === 'scanning'
  return (
    <DetailPage
      title={list.code}
      documentTitle={`${t('Collect list')} ${list.code}`}
      copyLabel={t('Copy')}
      back={{ to: '/lists/collect', search: back, label: t('Back to the list') }}
      badge={<CollectBadge state={list.state} />}
      note={list.created_by}
      actions={
        running ? (
          <Button variant="default" leftSection={<IconLock size={16} />} onClick={() => ask('close')}>
            {t('Close list')}
          </Button>
        ) : null
      }
      primary={
        running ? (
          <Button component={Link} to="/lists/collect/scan" search={{ id: list.id }} leftSection={<IconBarcode size={16} />}>
            {t('Scan out')}
          </Button>
        ) : list.state === 'closed' ? (
          <Button
            leftSection={<IconTruck size={16} />}
            {...disabledBecause(list.scanned === 0 && t('No parcel has been scanned yet'))}
            onClick={() => ask('hand_over')}
          >
            {t('Hand over')}
          </Button>
        ) : null
      }
      more={
        <>
          {running ? (
            <Menu.Item hiddenFrom="sm" leftSection={<IconLock size={16} />} onClick={() => ask('close')}>
              {t('Close list')}
            </Menu.Item>
          ) : null}
          {list.can_reopen ? (
            <Menu.Item leftSection={<IconLockOpen size={16} />} onClick={() => ask('reopen')}>
              {t('Reopen')}
            </Menu.Item>
          ) : null}
          <PaperItems list={list} />
        </>
      }
      strip={
        list.take_out > 0 ? (
          <StatusStrip tone="stop">
            {t('Take {{count}} parcels out of the cage first: their label was cancelled or their order stopped.', { count: list.take_out })}
          </StatusStrip>
        ) : null
      }
      facts={[
        { name: t('Cage'), value: list.cage ? <CageMark name={list.cage} colour={list.colour} /> : '–' },
        { name: t('Courier'), value: t(list.agent) },
        { name: t('Scanned'), value: `${number(list.scanned)} / ${number(list.expected)}` },
        {
          name: t('Pickup'),
          value: running ? <CutOffClock at={list.cut_off_at} late={list.scanned > 0} /> : <RelativeTime at={list.cut_off_at} />,
        },
        { name: t('Missing'), value: number(list.missing) },
        { name: t('Weight'), value: weight(list.weight_g) },
      ]}
      details={detailsOf(list, t)}
    >
      <CollectParcels list={list} show={show} setShow={setShow} />
      <CloseDialog list={list} opened={asking === 'close'} close={shut} closed={answer => answer.scanned > 0 && ask('hand_over')} />
      <HandOverDialog list={list} opened={asking === 'hand_over'} close={shut} />
      <ReopenDialog list={list} opened={asking === 'reopen'} close={shut} />
    </DetailPage>
  )
}

/** Who did what with the list, and how much goes by which method. */
function detailsOf(list: CollectList, t: ReturnType<typeof useT>): Fact[] {
  const step = (name: string, at: string | null, who: ReactNode): Fact[] =>
    at
      ? [
          {
            name,
            value: (
              <>
                <RelativeTime at={at} /> <span className={style.dim}>{who}</span>
              </>
            ),
          },
        ]
      : []
  const methods = list.methods.map(one => `${t(one.name)}: ${number(one.count)}, ${weight(one.weight_g)}`)
  return [
    ...step(t('Created'), list.created_at, list.created_by),
    ...step(t('Closed'), list.closed_at, list.closed_by),
    ...step(
      t('Handed over'),
      list.handed_over_at,
      <>
        {list.handed_to}
        {list.driver_signature ? <SignatureView path={list.driver_signature} label={t('Driver’s signature')} /> : null}
      </>,
    ),
    ...step(t('Reopened'), list.reopened_at, list.reopen_note),
    ...(methods.length > 1 ? [{ name: t('Shipping methods'), value: methods.join(' · ') }] : []),
  ]
}

/** The paper that the driver signs, in the company's language, on this device's printer. */
function PaperItems({ list }: { list: CollectList }) {
  const t = useT()
  const printer = useDevicePrinter('collect')
  const print = useSend(collectLists.print, {
    refreshes: [printJobs.list],
    done: job => {
      if (job.state === 'failed' || job.state === 'cancelled') toastFailure(t(job.error ?? 'Not printed'))
      else toastSuccess(t('The sheet is at {{printer}}', { printer: job.printer_name }))
    },
  })
  const download = useSend(collectLists.pdf, { done: saveFile })
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{printer ? t('On the A4 printer of this device') : t('This device has no A4 printer yet.')}</Menu.Label>
      <Menu.Item
        leftSection={<IconPrinter size={16} />}
        {...disabledBecause(!printer && t('This device has no A4 printer yet.'))}
        onClick={() => printer !== null && print.mutate({ id: list.id, printer, request_id: crypto.randomUUID() })}
      >
        {t('Print list')}
      </Menu.Item>
      <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => download.mutate({ id: list.id })}>
        {t('Download list')}
      </Menu.Item>
    </>
  )
}
