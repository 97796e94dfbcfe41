/** Settings, on a Raspberry Pi: the printers of the CUPS of each device, and what people ask of them. */
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { confirm } from '#ui/kit/Confirm.tsx'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { DevicePrinterForm } from './DevicePrinterForm.tsx'
import { printerManagement } from './printer-management.contract.ts'
import { commandLabels, commandStateLabels, commandTones, queueLabels, queueTones } from './printer-management.labels.ts'
import type { DeviceCommand, PrinterDevice } from './printer-management.schemas.ts'

type Queue = PrinterDevice['queues'][number]
type Command = DeviceCommand['command']

export function PrinterManagementScreen() {
  const t = useT()
  const devices = useCall(printerManagement.list, {}, { live: ['printer'], every: 15_000 })
  return (
    <Page title={t('Printer management')}>
      <QueryState of={devices} shape="rows">
        {found =>
          found.length === 0 ? (
            <EmptyList
              title={t('No Raspberry Pi is connected')}
              action={
                <Button component={Link} to="/settings/printer?tab=printers">
                  {t('Set up a print agent')}
                </Button>
              }
            >
              {t('A Raspberry Pi with CUPS on which the print agent runs appears here by itself.')}
            </EmptyList>
          ) : (
            <Stack gap="xl">
              {found.map(device => (
                <Device key={device.agent_id} device={device} />
              ))}
            </Stack>
          )
        }
      </QueryState>
    </Page>
  )
}

function Device({ device }: { device: PrinterDevice }) {
  const t = useT()
  const { agent_id, name, model, state, last_seen_at, queues, commands } = device
  const [adding, setAdding] = useState(false)
  const { mutate } = useSend(printerManagement.command, { refreshes: [printerManagement.list] })
  const ask = (command: Command) => mutate({ agent_id, body: { client_id: crypto.randomUUID(), command } })
  const askToRemove = async (queue: Queue) => {
    const title = t('Remove {{name}}?', { name: queue.name })
    const body = t('The device forgets this printer and what waits for it.')
    if (await confirm({ title, body, action: t('Remove printer'), danger: true })) ask({ action: 'remove', name: queue.name })
  }
  const askToCancel = async (queue: Queue) => {
    const title = t('Cancel the jobs of {{name}}?', { name: queue.name })
    const body = t('Jobs that wait at this printer are not printed.')
    if (await confirm({ title, body, action: t('Cancel jobs'), danger: true })) ask({ action: 'cancel_jobs', name: queue.name })
  }
  const columns: Column<Queue>[] = [
    { key: 'name', title: t('Printer'), flex: 1, cell: queue => <QueueName queue={queue} /> },
    { key: 'state', title: t('Status'), flex: 1, cell: queue => <QueueState queue={queue} /> },
    { key: 'jobs', title: t('Jobs'), align: 'end', cell: queue => queue.jobs },
    { key: 'address', title: t('Address'), flex: 2, cell: queue => queue.address || '–' },
  ]
  const actionsOf = (queue: Queue) => [
    queue.state === 'stopped' || !queue.accepts
      ? { label: t('Start printer'), run: () => ask({ action: 'enable', name: queue.name }) }
      : { label: t('Pause printer'), run: () => ask({ action: 'disable', name: queue.name }) },
    ...(queue.is_default ? [] : [{ label: t('Make default'), run: () => ask({ action: 'set_default', name: queue.name }) }]),
    ...queue.papers
      .slice(0, 8)
      .map(paper => ({ label: t('Paper {{paper}}', { paper }), run: () => ask({ action: 'set_paper', name: queue.name, paper }) })),
    ...(queue.jobs > 0 ? [{ label: t('Cancel jobs'), run: () => void askToCancel(queue) }] : []),
    { label: t('Remove'), run: () => void askToRemove(queue) },
  ]
  const connected = state === 'connected'
  const add = (
    <Button
      leftSection={<IconPlus size={16} />}
      {...disabledBecause(!connected && t('The computer is not connected'))}
      onClick={() => setAdding(true)}
    >
      {t('Add printer')}
    </Button>
  )
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between" align="start">
        <div>
          <Group gap="sm">
            <Title order={2} size="h4">
              {name}
            </Title>
            {connected ? <StateBadge tone="done">{t('Connected')}</StateBadge> : <StateBadge tone="stop">{t('No contact')}</StateBadge>}
          </Group>
          <Text size="sm" c="dimmed">
            {model || 'Raspberry Pi'} · <RelativeTime at={last_seen_at} />
          </Text>
        </div>
        {queues.length === 0 ? null : add}
      </Group>
      {connected ? null : <Alert color="amber">{t('The device has had no contact for a minute. Look whether it is on.')}</Alert>}
      <DataTable
        name="device-printers"
        label={t('Printers of {{name}}', { name })}
        columns={columns}
        list={staticList(queues)}
        keyOf={keyOf}
        {...(connected ? { rowActions: actionsOf } : {})}
        empty={
          <EmptyList title={t('No printer yet')} action={add}>
            {t('Add the first printer of this device.')}
          </EmptyList>
        }
        card={queue => (
          <RowCard>
            <RowCardLine>
              <QueueName queue={queue} />
              <QueueState queue={queue} />
            </RowCardLine>
            <span>{queue.address || '–'}</span>
          </RowCard>
        )}
      />
      <Commands commands={commands} />
      <Drawer opened={adding} onClose={() => setAdding(false)} title={t('Add printer')} size={480}>
        <DevicePrinterForm device={device} close={() => setAdding(false)} />
      </Drawer>
    </Stack>
  )
}

const keyOf = (queue: Queue) => queue.name

function QueueName({ queue: { name, is_default } }: { queue: Queue }) {
  const t = useT()
  return (
    <span>
      <strong>{name}</strong>
      {is_default ? ` · ${t('Default')}` : ''}
    </span>
  )
}

function QueueState({ queue: { state, accepts, message } }: { queue: Queue }) {
  const t = useT()
  return (
    <span title={message || undefined}>
      <StateBadge tone={accepts ? queueTones[state] : 'stop'}>{accepts ? t(queueLabels[state]) : t('Takes no jobs')}</StateBadge>
    </span>
  )
}

/** What people asked of the device, and what became of it. */
function Commands({ commands }: { commands: readonly DeviceCommand[] }) {
  const t = useT()
  if (commands.length === 0) return null
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {t('Latest changes')}
      </Text>
      {commands.slice(0, 5).map(({ id, command, state, message, created_at }) => (
        <Group key={id} gap="sm">
          <span>{t(commandLabels[command.action], { name: 'name' in command ? command.name : '' })}</span>
          <StateBadge tone={commandTones[state]}>{t(commandStateLabels[state])}</StateBadge>
          <Text size="sm" c="dimmed">
            <RelativeTime at={created_at} />
            {message ? ` · ${message}` : ''}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
