/** One collect list: how far it is, its parcels, and what can be done next – scan, close, hand over, print, open again. */
import { Alert, Button, Menu } from '@mantine/core'
import {
  IconAlertTriangle,
  IconBarcode,
  IconChevronDown,
  IconDownload,
  IconLock,
  IconLockOpen,
  IconPrinter,
  IconTruck,
} from '@tabler/icons-react'
import { useState } from 'react'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { useDevice } from '#ui/device/device-storage.ts'
import { number, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { toastError, toastSuccess } from '#ui/kit/toasts.ts'
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
    <Page
      title={`${t('Collect list')} ${list.code}`}
      back={{ to: '/lists/collect', search: back, label: t('Back to the list') }}
      badge={<CollectBadge state={list.state} />}
      note={
        <>
          {list.created_by} · <RelativeTime at={list.created_at} />
        </>
      }
      actions={
        <>
          {list.can_reopen ? (
            <Button variant="default" leftSection={<IconLockOpen size={16} />} onClick={() => ask('reopen')}>
              {t('Reopen')}
            </Button>
          ) : null}
          <Paper list={list} />
          {running ? (
            <Button variant="default" leftSection={<IconLock size={16} />} onClick={() => ask('close')}>
              {t('Close list')}
            </Button>
          ) : null}
          {running ? (
            <Button component={Link} to="/lists/collect/scan" search={{ id: list.id }} leftSection={<IconBarcode size={16} />}>
              {t('Scan out')}
            </Button>
          ) : list.state === 'closed' ? (
            <Button leftSection={<IconTruck size={16} />} disabled={list.scanned === 0} onClick={() => ask('hand_over')}>
              {t('Hand over')}
            </Button>
          ) : null}
        </>
      }
    >
      {list.take_out > 0 ? (
        <Alert color="brick" icon={<IconAlertTriangle size={16} />} mb="md">
          {t('Take {{count}} parcels out of the cage first: their label was cancelled or their order stopped.', { count: list.take_out })}
        </Alert>
      ) : null}
      <dl className={style.figures}>
        <Figure name={t('Cage')}>
          <CageMark name={list.cage} colour={list.colour} />
        </Figure>
        <Figure name={t('Courier')}>{t(list.agent)}</Figure>
        <Figure name={t('Scanned')}>
          {number(list.scanned)} / {number(list.expected)}
        </Figure>
        {list.missing > 0 ? <Figure name={t('Missing')}>{number(list.missing)}</Figure> : null}
        <Figure name={t('Weight')}>{weight(list.weight_g)}</Figure>
        {running ? (
          <Figure name={t('Pickup')}>
            <CutOffClock at={list.cut_off_at} late={list.scanned > 0} />
          </Figure>
        ) : list.cut_off_at ? (
          <Figure name={t('Pickup')}>
            <RelativeTime at={list.cut_off_at} />
          </Figure>
        ) : null}
        {list.closed_at ? (
          <Figure name={t('Closed')}>
            <RelativeTime at={list.closed_at} /> <span className={style.dim}>{list.closed_by}</span>
          </Figure>
        ) : null}
        {list.handed_over_at ? (
          <Figure name={t('Handed over')}>
            <RelativeTime at={list.handed_over_at} /> <span className={style.dim}>{list.handed_to}</span>
            {list.driver_signature ? <SignatureView path={list.driver_signature} label={t('Driver’s signature')} /> : null}
          </Figure>
        ) : null}
        {list.reopened_at ? (
          <Figure name={t('Reopened')}>
            <RelativeTime at={list.reopened_at} /> <span className={style.dim}>{list.reopen_note}</span>
          </Figure>
        ) : null}
      </dl>
      {list.methods.length > 1 ? (
        <p className={style.methods}>
          {list.methods.map(one => `${t(one.name)}: ${number(one.count)}, ${weight(one.weight_g)}`).join(' · ')}
        </p>
      ) : null}
      <CollectParcels list={list} show={show} setShow={setShow} />
      <CloseDialog list={list} opened={asking === 'close'} close={shut} closed={answer => answer.scanned > 0 && ask('hand_over')} />
      <HandOverDialog list={list} opened={asking === 'hand_over'} close={shut} />
      <ReopenDialog list={list} opened={asking === 'reopen'} close={shut} />
    </Page>
  )
}

const Figure = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** The paper that the driver signs, in the company's language, on this device's printer. */
function Paper({ list }: { list: CollectList }) {
  const t = useT()
  const printer = useDevice('printer')?.A4Printer ?? null
  const print = useSend(collectLists.print, {
    refreshes: [printJobs.list],
    done: job => {
      if (job.state === 'failed' || job.state === 'cancelled') toastError(new Error(job.error ?? t('Not printed')))
      else toastSuccess(t('The sheet is at {{printer}}', { printer: job.printer_name }))
    },
  })
  const download = useSend(collectLists.pdf, { done: saveFile })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconPrinter size={16} />}
          rightSection={<IconChevronDown size={16} />}
          loading={print.isPending || download.isPending}
        >
          {t('Paper')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{printer ? t('On the A4 printer of this device') : t('This device has no A4 printer yet.')}</Menu.Label>
        <Menu.Item
          leftSection={<IconPrinter size={16} />}
          disabled={!printer}
          onClick={() => printer !== null && print.mutate({ id: list.id, printer, request_id: crypto.randomUUID() })}
        >
          {t('Print list')}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => download.mutate({ id: list.id })}>
          {t('Download list')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
