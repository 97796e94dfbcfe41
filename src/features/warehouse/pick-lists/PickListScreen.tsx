/** One pick list: its wagons, who walks with them, what stands in which slot, and what can be done about it. */
import { Button, Menu, Text } from '@mantine/core'
import { IconBan, IconChevronDown, IconDownload, IconPrinter, IconRoute } from '@tabler/icons-react'
import { listCode } from '#domain/codes.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { useDevicePrinter } from '#ui/device/device-storage.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { DetailPage, StatusStrip } from '#ui/kit/DetailPage.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { number } from '#ui/kit/format.ts'
import { Progress } from '#ui/kit/Progress.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { toastFailure, toastSuccess } from '#ui/kit/toasts.ts'
import { useLocale, useT } from '#ui/kit/translate.ts'
import { saveFile, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './PickLists.module.css'
import { ListBadge, metresWord, typeWord } from './pick-list.labels.tsx'
import { pickLists } from './pick-lists.contract.ts'
import type { PickList } from './pick-lists.schemas.ts'
import type { ListProps } from './pick-lists-url.client.ts'
import { WagonPanel } from './WagonPanel.tsx'

export function PickListPage({ url, setUrl, urlWith }: ListProps) {
  const list = useCall(pickLists.get, { id: url.id }, { live: ['pick_list', 'paperless'], keep: true })
  return (
    <QueryState of={list} shape="page">
      {answer => (
        <Opened
          list={answer}
          back={urlWith({ id: 0, wagon: 0 })}
          open={url.wagon}
          setOpen={wagon => setUrl({ wagon }, { replace: true })}
        />
      )}
    </QueryState>
  )
}

interface OpenedProps {
  list: PickList
  /** What the list says that it was opened from. */
  back: Record<string, unknown>
  open: number
  setOpen: (wagon: number) => void
}

function Opened({ list, back, open, setOpen }: OpenedProps) {
  const t = useT()
  const mayCancel = useIsAllowed(pickLists.cancel.access)
  const paper = usePaper(list.id)
  const living = list.state !== 'completed' && list.state !== 'cancelled'
  const improve = useSend(pickLists.improve, { refreshes: [pickLists.get] })
  const optimise = () => improve.mutate({ id: list.id })
  const mayImprove = living && list.wagons.filter(wagon => wagon.state === 'open').length > 1
  const cancel = useSend(pickLists.cancel, {
    refreshes: [pickLists.get, pickLists.search, pickLists.available],
    said: ({ put_backs }) =>
      put_backs > 0 ? t('The list is cancelled. {{count}} lines have to be put back.', { count: put_backs }) : t('The list is cancelled'),
  })
  const askToCancel = async () => {
    const sure = await confirm({
      title: t('Cancel {{list}}?', { list: listCode('PL', list.id) }),
      body: t('Its orders are ready again. What was picked has to be put back.'),
      action: t('Cancel list'),
      keep: t('Keep list'),
      danger: true,
    })
    if (sure) cancel.mutate({ id: list.id, body: {} })
  }
  // One wagon is simply open; of several the one that was chosen.
  const opened = open > 0 ? open : list.wagons.length === 1 ? (list.wagons[0]?.wagon_no ?? 0) : 0
  const saved = list.metres !== null && list.first_metres !== null ? list.first_metres - list.metres : 0
  return (
    <DetailPage
      title={listCode('PL', list.id)}
      documentTitle={t('Pick list {{list}}', { list: listCode('PL', list.id) })}
      copyLabel={t('Copy')}
      back={{ to: '/lists/pick', search: back, label: t('Back to the list') }}
      badge={<ListBadge state={list.state} />}
      note={typeWord(list.type)}
      actions={
        mayImprove ? (
          <Button variant="default" leftSection={<IconRoute size={16} />} loading={improve.isPending} onClick={optimise}>
            {t('Optimise routes')}
          </Button>
        ) : null
      }
      primary={<PaperMenu paper={paper} />}
      more={
        living && (mayCancel || mayImprove) ? (
          <>
            {mayImprove ? (
              <Menu.Item hiddenFrom="sm" leftSection={<IconRoute size={16} />} onClick={optimise}>
                {t('Optimise routes')}
              </Menu.Item>
            ) : null}
            {mayCancel ? (
              <Menu.Item color="brick" leftSection={<IconBan size={16} />} onClick={() => void askToCancel()}>
                {t('Cancel list')}
              </Menu.Item>
            ) : null}
          </>
        ) : undefined
      }
      strip={
        list.put_backs_open > 0 ? (
          <StatusStrip tone="soon">{t('{{count}} lines of this list have to be put back', { count: list.put_backs_open })}</StatusStrip>
        ) : null
      }
      facts={[
        { name: t('Orders'), value: number(list.order_count) },
        { name: t('Lines'), value: `${number(list.lines_done)} / ${number(list.line_count)}` },
        { name: t('Items'), value: number(list.piece_count) },
        { name: t('Wagons'), value: number(list.wagon_count) },
        { name: t('Stops'), value: number(list.stop_count) },
        { name: t('Distance'), value: metresWord(list.metres) },
      ]}
      details={[
        { name: t('Type'), value: typeWord(list.type) },
        { name: t('Minutes'), value: number(list.minutes ?? 0) },
        {
          name: t('Created'),
          value: (
            <>
              {list.created_by_name}, <RelativeTime at={list.created_at} />
            </>
          ),
        },
      ]}
    >
      {list.job_id !== null ? <Improvement job_id={list.job_id} /> : null}
      {saved > 0 ? (
        <Text size="sm" c="dimmed" mb="sm">
          {t('{{number}} m shorter than as it was first made', { number: number(saved) })}
        </Text>
      ) : null}
      <div className={style.wagons}>
        {list.wagons.map(wagon => (
          <WagonPanel
            key={wagon.wagon_no}
            list={list}
            wagon={wagon}
            open={opened === wagon.wagon_no}
            toggle={() => setOpen(opened === wagon.wagon_no ? 0 : wagon.wagon_no)}
          />
        ))}
      </div>
    </DetailPage>
  )
}

/** The job that shortens walks: while it runs, and for what it found. */
function Improvement({ job_id }: { job_id: number }) {
  const t = useT()
  const job = useCall(jobs.get, { id: job_id }, { live: ['job'] })
  const running = job.data?.state === 'queued' || job.data?.state === 'running'
  if (!job.data || !running) return null
  return (
    <div style={{ maxWidth: 480, marginBottom: 'var(--s-4)' }}>
      <Progress label={t('Optimising routes')} done={job.data.done} total={job.data.total} began={job.data.started_at} />
    </div>
  )
}

function PaperMenu({ paper }: { paper: ReturnType<typeof usePaper> }) {
  const t = useT()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconPrinter size={16} />} rightSection={<IconChevronDown size={16} />} loading={paper.busy}>
          {t('Paper')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{paper.printer ? t('On the A4 printer of this device') : t('This device has no A4 printer yet.')}</Menu.Label>
        <Menu.Item
          leftSection={<IconPrinter size={16} />}
          {...disabledBecause(!paper.printer && t('This device has no A4 printer yet.'))}
          onClick={() => paper.print(false)}
        >
          {t('Print list')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPrinter size={16} />}
          {...disabledBecause(!paper.printer && t('This device has no A4 printer yet.'))}
          onClick={() => paper.print(true)}
        >
          {t('Print list with pictures')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPrinter size={16} />}
          {...disabledBecause(!paper.printer && t('This device has no A4 printer yet.'))}
          onClick={paper.printOverview}
        >
          {t('Print overview')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => paper.download(false)}>
          {t('Download list')}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => paper.download(true)}>
          {t('Download list with pictures')}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={paper.downloadOverview}>
          {t('Download overview')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Printing and downloading of this list, in the person's language, on this device's printer. */
function usePaper(id: number) {
  const t = useT()
  const printer = useDevicePrinter('pick')
  const words = { locale: useLocale() }
  const printed = {
    refreshes: [printJobs.list],
    done: (job: { state: string; error: string | null; printer_name: string }) => {
      if (job.state === 'failed' || job.state === 'cancelled') toastFailure(t(job.error ?? 'Not printed'))
      else toastSuccess(t('The sheet is at {{printer}}', { printer: job.printer_name }))
    },
  }
  const print = useSend(pickLists.print, printed)
  const overview = useSend(pickLists.printOverview, printed)
  const download = useSend(pickLists.download, { done: saveFile })
  const downloadOverview = useSend(pickLists.downloadOverview, { done: saveFile })
  const key = () => crypto.randomUUID()
  return {
    printer,
    busy: print.isPending || overview.isPending || download.isPending || downloadOverview.isPending,
    print: (pictures: boolean) => printer !== null && print.mutate({ id, printer, pictures, key: key(), ...words }),
    printOverview: () => printer !== null && overview.mutate({ id, printer, key: key(), ...words }),
    download: (pictures: boolean) => download.mutate({ id, pictures, ...words }),
    downloadOverview: () => downloadOverview.mutate({ id, ...words }),
  }
}
