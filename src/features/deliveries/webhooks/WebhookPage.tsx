/** One webhook: its state, a test, its secret, and its deliveries. */
import { Alert, Button, Code, Group, Menu, NativeSelect, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { keptHours, keptWords } from '#features/company/api-keys/cms-keys.codes.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { DaySpanInput } from '#ui/kit/DaySpanInput.tsx'
import { DescriptionItem, DescriptionList } from '#ui/kit/DescriptionList.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { daysAgo, instant, instantOf, number, today } from '#ui/kit/format.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { errorSentence, toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import { DeliveryDays } from './DeliveryDays.tsx'
import { SecretOnce, WebhookForm } from './WebhookForm.tsx'
import { WebhookLog } from './WebhookLog.tsx'
import style from './Webhooks.module.css'
import { eventGroups, logDays, typesOf } from './webhooks.codes.ts'
import { webhooks } from './webhooks.contract.ts'
import { webhookTones, webhookWords } from './webhooks.labels.ts'
import type { OutgoingWebhook } from './webhooks.schemas.ts'

const refreshes = [webhooks.list, webhooks.deliveries, webhooks.days]
type Opened = 'settings' | 'test' | 'secret' | 'replay'

export function WebhookPage({ row, back, gone }: { row: OutgoingWebhook; back: { to: string; label: string }; gone: () => void }) {
  const t = useT()
  const { id } = row
  const [opened, setOpened] = useState<Opened | null>(null)
  const [secret, setSecret] = useState('')
  const close = () => setOpened(null)
  const resume = useSend(webhooks.resume, { refreshes, said: t('Webhook resumed') })
  const remove = useSend(webhooks.remove, { refreshes, said: t('Webhook removed'), done: gone })
  const askRemove = async () => {
    const body = t('{{count}} events that wait are not delivered any more.', { count: number(row.waiting) })
    if (await confirm({ title: t('Remove this webhook?'), body, action: t('Remove webhook'), danger: true })) remove.mutate({ id })
  }
  return (
    <Page
      title={row.name}
      note={row.url}
      badge={<StateBadge tone={webhookTones[row.state]}>{t(webhookWords[row.state])}</StateBadge>}
      back={back}
      actions={
        <>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" rightSection={<IconChevronDown size={16} />}>
                {t('More')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setOpened('settings')}>{t('Change settings')}</Menu.Item>
              <Menu.Item onClick={() => setOpened('secret')}>{t('Replace secret')}</Menu.Item>
              <Menu.Item onClick={() => setOpened('replay')}>{t('Send events again')}</Menu.Item>
              <Menu.Item color="brick" onClick={() => void askRemove()}>
                {t('Remove webhook')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Button variant="default" onClick={() => setOpened('test')}>
            {t('Test')}
          </Button>
        </>
      }
    >
      {row.state === 'paused' ? (
        <Alert
          color="brick"
          icon={<IconAlertTriangle size={16} />}
          role="alert"
          mb="md"
          title={t('Paused since {{time}}', { time: instant(row.paused_at ?? row.failing_since ?? '') })}
        >
          <Stack gap="xs" align="start">
            <Text size="sm">
              {t('{{count}} events wait. They are kept for 14 days.', { count: number(row.waiting) })}
              {row.lost > 0 ? ` ${t('{{count}} were older and are lost.', { count: number(row.lost) })}` : ''}
            </Text>
            <Button size="compact-sm" loading={resume.isPending} onClick={() => resume.mutate({ id })}>
              {t('Resume')}
            </Button>
          </Stack>
        </Alert>
      ) : null}
      <DescriptionList>
        <DescriptionItem name={t('Last delivery')}>
          <RelativeTime at={row.last_delivery_at} as="age" />
        </DescriptionItem>
        <DescriptionItem name={t('Waiting')}>{number(row.waiting)}</DescriptionItem>
        <DescriptionItem name={t('Failing since')}>
          <RelativeTime at={row.failing_since} as="age" />
        </DescriptionItem>
        <DescriptionItem name={t('Events')}>{number(typesOf(row.events).length)}</DescriptionItem>
        <DescriptionItem name={t('Shop')}>{row.shop ?? t('All shops')}</DescriptionItem>
        {row.header_name ? <DescriptionItem name={t('Own header')}>{row.header_name}</DescriptionItem> : null}
        <DescriptionItem name={t('Secret')}>
          {t('Secret ends with {{last4}}', { last4: row.last4 || '…' })}
          {row.old_secret_until ? ` · ${t('the old one signs until {{time}}', { time: instant(row.old_secret_until) })}` : ''}
        </DescriptionItem>
      </DescriptionList>
      <section className={style.part}>
        <h2>{t('Deliveries')}</h2>
        <DeliveryDays id={id} />
        <WebhookLog id={id} paused={row.state === 'paused'} />
      </section>
      <Drawer opened={opened === 'settings'} onClose={close} title={t('Change settings')} size={560}>
        {opened === 'settings' ? <WebhookForm row={row} done={close} /> : null}
      </Drawer>
      <Dialog opened={opened === 'test'} onClose={close} title={t('Test')} size="lg">
        {opened === 'test' ? <Test row={row} /> : null}
      </Dialog>
      <Dialog opened={opened === 'secret'} onClose={close} title={t('Replace secret')}>
        <Rotate
          id={id}
          done={made => {
            close()
            setSecret(made)
          }}
        />
      </Dialog>
      <Dialog opened={opened === 'replay'} onClose={close} title={t('Send events again')}>
        <Replay id={id} done={close} />
      </Dialog>
      <SecretOnce secret={secret} close={() => setSecret('')} />
    </Page>
  )
}

function Test({ row }: { row: OutgoingWebhook }) {
  const t = useT()
  const all = eventGroups.flatMap(({ types }) => types)
  const [event, setEvent] = useState(typesOf(row.events)[0] ?? all[0])
  const test = useSend(webhooks.test, { quiet: true })
  return (
    <Stack gap="md">
      <Text size="sm">{t('The example of the event is sent, marked as a test. It changes nothing here.')}</Text>
      <NativeSelect
        label={t('Event')}
        data={[...all]}
        value={event}
        onChange={change => setEvent(all.find(type => type === change.currentTarget.value))}
      />
      <Group>
        <Button loading={test.isPending} onClick={() => event && test.mutate({ id: row.id, body: { event } })}>
          {t('Send test')}
        </Button>
      </Group>
      <div role="status">
        {test.error ? <Text c="brick">{errorSentence(test.error)}</Text> : null}
        {test.data && !test.isPending ? (
          <Stack gap="xs">
            <Group gap="xs">
              <StateBadge tone={test.data.delivered ? 'done' : 'stop'}>{test.data.delivered ? t('Delivered') : t('Failed')}</StateBadge>
              <Text size="sm">
                {[test.data.status ?? t('No answer'), t('{{count}} ms', { count: number(test.data.took_ms) })].join(' · ')}
              </Text>
            </Group>
            {test.data.answer === '' ? null : (
              <Code block className={style.text}>
                {test.data.answer}
              </Code>
            )}
          </Stack>
        ) : null}
      </div>
    </Stack>
  )
}

function Rotate({ id, done }: { id: number; done: (secret: string) => void }) {
  const t = useT()
  const [kept, setKept] = useState('24')
  const rotate = useSend(webhooks.rotate, { refreshes, done: ({ secret }) => done(secret) })
  return (
    <Stack gap="md">
      <NativeSelect
        label={t('Old secret valid for')}
        description={t('So that your system refuses nothing until it uses the new one.')}
        data={keptHours.map(hours => ({ value: String(hours), label: t(keptWords[hours]) }))}
        value={kept}
        onChange={event => setKept(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button
          loading={rotate.isPending}
          onClick={() => rotate.mutate({ id, body: { keep_hours: keptHours.find(hours => String(hours) === kept) ?? 24 } })}
        >
          {t('Replace secret')}
        </Button>
      </Group>
    </Stack>
  )
}

function Replay({ id, done }: { id: number; done: () => void }) {
  const t = useT()
  const [span, setSpan] = useState({ from: today(), to: today() })
  const [which, setWhich] = useState('failed')
  const replay = useSend(webhooks.replay, {
    quiet: true,
    refreshes,
    done: ({ count }) => {
      toastSuccess(t('Events sent again: {{count}}', { count: number(count) }))
      done()
    },
  })
  const begin = instantOf(`${span.from}T00:00`)
  const end = instantOf(`${span.to}T23:59:59`)
  return (
    <Stack gap="md">
      <Text size="sm">{t('They keep their ids, so that your system can pass over what it knows.')}</Text>
      <DaySpanInput value={span} min={daysAgo(logDays)} onChange={setSpan} />
      <NativeSelect
        label={t('Which')}
        data={[
          { value: 'failed', label: t('Failed ones') },
          { value: 'all', label: t('All of them') },
        ]}
        value={which}
        onChange={event => setWhich(event.currentTarget.value)}
      />
      {replay.error ? (
        <Text c="brick" role="alert">
          {errorSentence(replay.error)}
        </Text>
      ) : null}
      <Group justify="flex-end">
        <Button
          loading={replay.isPending}
          {...disabledBecause((begin === null || end === null) && t('Select both days first'))}
          onClick={() =>
            replay.mutate({
              id,
              body: { from: begin ?? '', to: end ?? '', states: which === 'all' ? ['delivered', 'failed'] : ['failed'] },
            })
          }
        >
          {t('Send again')}
        </Button>
      </Group>
    </Stack>
  )
}
