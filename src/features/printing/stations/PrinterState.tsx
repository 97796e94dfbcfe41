/** The station's printers in the top bar: ready or not at a glance, the last jobs behind it. */
import { ActionIcon, Box, Button, Group, Popover, Stack, Text } from '@mantine/core'
import { IconCopy, IconPrinter, IconPrinterOff, IconRefresh } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { access } from '#contract/access.ts'
import { canCopy, canRetry, PrintJobState } from '#features/printing/print-jobs/PrintJobState.tsx'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { PrinterBadge } from '#features/printing/printers/PrinterBadge.tsx'
import { printerName } from '#features/printing/printers/printers.labels.ts'
import { selfTests } from '#features/printing/self-tests/self-tests.contract.ts'
import { selfTestLabels, selfTestTones } from '#features/printing/self-tests/self-tests.labels.ts'
import type { SelfTest } from '#features/printing/self-tests/self-tests.schemas.ts'
import { device, useDevice } from '#ui/device/device-storage.ts'
import { Link } from '#ui/kit/Link.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useOfferedScreens } from '#ui/navigation/menu.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import shell from '#ui/shell/Shell.module.css'
import { stations } from './stations.contract.ts'
import type { StationHealth } from './stations.schemas.ts'

/** Asks how the chosen printers of this device are, every half minute and whenever something was printed. */
function useStationHealth(): StationHealth | undefined {
  const chosen = useDevice('printer')
  const station = useDevice('packingStation')
  const may = useIsAllowed(access.station)
  const input = {
    ...(station ? { station } : {}),
    ...(chosen?.labelPrinter ? { label_printer_id: chosen.labelPrinter } : {}),
    ...(chosen?.A4Printer ? { a4_printer_id: chosen.A4Printer } : {}),
  }
  const asked = Object.keys(input).length > 0 && may
  const { data } = useCall(stations.health, input, { enabled: asked, live: ['print', 'printer'], every: 30_000, fresh: 2_000, keep: true })
  const roles = data?.roles
  // The device keeps them, so that every page prints where the station does, also before the next answer.
  useEffect(() => {
    if (roles) device.write('printer', { ...device.read('printer'), roles })
  }, [roles])
  return asked ? data : undefined
}

/** For the top bar of the shell and of full pages. */
export function PrinterState() {
  const t = useT()
  const health = useStationHealth()
  const chosen = useDevice('printer')
  const station = useDevice('packingStation')
  const may = useIsAllowed(access.station)
  const { data: tested } = useCall(
    selfTests.state,
    { station: station ?? '' },
    { enabled: station !== undefined && may, live: ['printer'], every: 300_000, fresh: 60_000 },
  )
  const unproved = tested?.today && tested.today.state !== 'proved' ? tested.today : null
  const [open, setOpen] = useState(false)
  const settings = useOfferedScreens().find(screen => screen.path === '/settings/printer')
  if (!may) return null
  const none = health ? health.state === 'none' : !chosen?.labelPrinter && !chosen?.A4Printer
  const label = health ? health.roles.label : chosen?.labelPrinter
  if (none && !settings) return null
  const away = health?.printers.find(printer => printer.state !== 'online')
  const missing = health !== undefined && health.state === 'trouble'
  const word = none
    ? t('No printer')
    : missing
      ? away
        ? t('{{printer}} is offline', { printer: printerName(t, away.name) })
        : t('Printer not found')
      : health && health.failed > 0
        ? t('{{count}} not printed', { count: health.failed })
        : !label
          ? t('No label printer')
          : away
            ? t('{{printer}} is offline, its backup prints', { printer: printerName(t, away.name) })
            : health && health.waiting > 0
              ? t('{{count}} waiting', { count: health.waiting })
              : unproved
                ? t('Printer not tested')
                : health
                  ? t('Printer ready')
                  : t('Printer')
  // A station without a label printer cannot pack: that is seen before the first order.
  const trouble = missing || (health?.failed ?? 0) > 0 || (station !== undefined && health !== undefined && !label)
  const warning = !trouble && (health?.state === 'fallback' || unproved !== null)
  const Icon = missing || !label ? IconPrinterOff : IconPrinter
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={380} trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={`${shell.chip} ${trouble ? shell.chipStop : warning ? shell.chipSoon : ''}`}
          aria-label={t('Printers: {{state}}', { state: word })}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Icon size={16} />
          {/* A phone shows in words only what is not as it should be. */}
          <Box component="span" visibleFrom={trouble || warning || none || !label ? undefined : 'sm'}>
            {word}
          </Box>
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        {open ? (
          <Details {...(health ? { health } : {})} test={tested?.today ?? null} settings={settings?.path} leave={() => setOpen(false)} />
        ) : null}
      </Popover.Dropdown>
    </Popover>
  )
}

interface DetailsProps {
  health?: StationHealth
  test: SelfTest | null
  settings: string | undefined
  leave: () => void
}

function Details({ health, test, settings, leave }: DetailsProps) {
  const t = useT()
  const mayPrint = useIsAllowed(access.bench)
  const refreshes = [stations.health, printJobs.list]
  const retry = useSend(printJobs.retry, { refreshes })
  const copy = useSend(printJobs.reprint, { refreshes })
  return (
    <Stack gap="sm">
      {health?.printers.map(printer => (
        <Group key={printer.id} justify="space-between" wrap="nowrap">
          <Text fw={500} truncate>
            {printerName(t, printer.name)}
          </Text>
          <PrinterBadge state={printer.state} />
        </Group>
      ))}
      {health ? (
        <Text size="sm" c="dimmed" component="div">
          {t('Last print')}: {health.last_print_at ? <RelativeTime at={health.last_print_at} as="age" /> : t('none yet')}
          {' · '}
          {t('{{count}} waiting', { count: health.waiting })}
        </Text>
      ) : null}
      {test ? (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">
            {t('Self-test')} {test.code}
          </Text>
          <StateBadge tone={selfTestTones[test.state]}>{t(selfTestLabels[test.state])}</StateBadge>
        </Group>
      ) : null}
      {!health ? <Text>{t('Select the printers of this device first.')}</Text> : null}
      {health?.note ? (
        <Text size="sm" c="dimmed">
          {t(health.note)}
        </Text>
      ) : null}
      {health?.jobs.length ? (
        <ul style={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 8 }} aria-label={t('Last print jobs')}>
          {health.jobs.map(job => (
            <li key={job.id} style={{ borderTop: '1px solid var(--edge)', paddingTop: 8 }}>
              <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
                <div style={{ minWidth: 0 }}>
                  <Text truncate size="sm">
                    {job.title}
                  </Text>
                  <PrintJobState job={job} reason />
                </div>
                <Group gap={4} wrap="nowrap">
                  <Text size="xs" c="dimmed" component="span">
                    <RelativeTime at={job.created_at} as="age" />
                  </Text>
                  {mayPrint && canRetry(job) ? (
                    <ActionIcon aria-label={t('Send {{title}} again', { title: job.title })} onClick={() => retry.mutate({ id: job.id })}>
                      <IconRefresh size={16} />
                    </ActionIcon>
                  ) : null}
                  {mayPrint && canCopy(job) ? (
                    <ActionIcon
                      aria-label={t('Print a copy of {{title}}', { title: job.title })}
                      onClick={() => copy.mutate({ id: job.id, printer: job.printer_id, request_id: crypto.randomUUID() })}
                    >
                      <IconCopy size={16} />
                    </ActionIcon>
                  ) : null}
                </Group>
              </Group>
            </li>
          ))}
        </ul>
      ) : null}
      {settings ? (
        <Group justify="flex-end" onClick={leave}>
          <Button component={Link} to={settings} variant="default" size="compact-sm">
            {t('Station and printers')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  )
}
