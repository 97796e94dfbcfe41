/** E-mail and messages of a company: mail account, gateway of text messages, templates, quiet hours and opt-outs. */
import { Button, Group, SegmentedControl, Stack, Table, Text, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { access } from '#contract/access.ts'
import { MailSettings } from '#features/deliveries/mail/MailSettings.tsx'
import { SmsSettings } from '#features/deliveries/sms/SmsAccountForm.tsx'
import { TemplateForm } from '#features/messages/templates/TemplateForm.tsx'
import { TemplateList } from '#features/messages/templates/TemplateList.tsx'
import { channelWords } from '#features/messages/templates/template.labels.ts'
import { type MessageChannel, messageChannels } from '#features/messages/templates/templates.codes.ts'
import { templates } from '#features/messages/templates/templates.contract.ts'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { instant } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { Pager } from '#ui/kit/Pager.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { MessageSettings } from './message-settings.schemas.ts'
import { messages } from './messages.contract.ts'

const tabs = ['mail', 'sms', 'templates', 'rules'] as const
const Url = { tab: urlChoice(tabs, 'mail'), /** Id of the open template, or `new`. */ id: urlText() }

export function MessageSettingsScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(Url)
  const words = { mail: t('E-mail'), sms: t('Text messages'), templates: t('Templates'), rules: t('Rules') }
  return (
    <Page title={t('E-mail and messages')} narrow={url.tab !== 'templates'}>
      <Stack gap="lg">
        <SegmentedControl
          aria-label={t('Section')}
          data={tabs.map(value => ({ value, label: words[value] }))}
          value={url.tab}
          onChange={tab => setUrl({ tab: tabs.find(one => one === tab) ?? 'mail', id: '' })}
        />
        {url.tab === 'mail' ? <MailSettings /> : null}
        {url.tab === 'sms' ? <SmsSettings /> : null}
        {url.tab === 'templates' ? <Templates id={url.id} open={id => setUrl({ id })} /> : null}
        {url.tab === 'rules' ? <Rules /> : null}
      </Stack>
    </Page>
  )
}

function Templates({ id, open }: { id: string; open: (id: string) => void }) {
  const t = useT()
  const { init } = useSignedIn()
  const mayEdit = useIsAllowed([...access.settings, 'parcels_admin'])
  const known = Number(id) > 0
  const template = useCall(templates.get, { id: Number(id) || 0 }, { enabled: known })
  const orders = useCall(messages.orderList, { limit: 20 }, { enabled: id !== '', fresh: 60_000 })
  const close = () => open('')
  const shared = { locale: init.settings.locale, mayEdit, orders: orders.data?.rows ?? [], close }
  return (
    <>
      <TemplateList mayEdit={mayEdit} open={one => open(String(one.id))} add={() => open('new')} />
      <Drawer opened={id !== ''} onClose={close} size="min(100%, 68rem)" title={id === 'new' ? t('New template') : t('Template')}>
        {id === 'new' ? <TemplateForm template={null} {...shared} made={made => open(String(made.id))} /> : null}
        {known ? (
          <QueryState of={template} shape="form">
            {one => <TemplateForm key={one.id} template={one} {...shared} />}
          </QueryState>
        ) : null}
      </Drawer>
    </>
  )
}

function Rules() {
  const settings = useCall(messages.settings, {})
  return (
    <Stack gap="xl">
      <QueryState of={settings} shape="form">
        {one => <RulesForm key={one.version === 0 ? 'new' : 'set'} settings={one} />}
      </QueryState>
      <OptOuts />
    </Stack>
  )
}

function RulesForm({ settings: { version: seen, ...settings } }: { settings: MessageSettings }) {
  const t = useT()
  const version = useRef(seen)
  const edit = useEdit({
    schema: MessageSettings.omit({ version: true }),
    initial: { ...settings },
    save: values => send(messages.saveSettings, { body: { ...values, version: version.current } }),
    refreshes: [messages.settings],
    said: t('Quiet hours saved'),
    done: saved => {
      version.current = saved.version
    },
    conflict: {
      schema: MessageSettings,
      values: ({ version: fresh, ...values }) => {
        version.current = fresh
        return values
      },
    },
  })
  return (
    <Form edit={edit}>
      <SettingsSection
        title={t('Quiet hours')}
        help={t('Text messages wait until it is day where the recipient lives. Equal times: there are no quiet hours.')}
      >
        <Group grow align="start">
          <TextInput type="time" label={t('From')} {...edit.of('quiet_from')} />
          <TextInput type="time" label={t('Until')} {...edit.of('quiet_to')} />
        </Group>
      </SettingsSection>
      <SettingsSection title={t('Keeping')} help={t('After this time address and text of a message are deleted; that it was sent stays.')}>
        <WholeNumberInput label={t('Keep texts for (days)')} min={7} max={730} hideControls {...edit.of('keep_days')} />
      </SettingsSection>
    </Form>
  )
}

function OptOuts() {
  const t = useT()
  const [query, setQuery] = useState('')
  const [channel, setChannel] = useState<MessageChannel>('sms')
  const [address, setAddress] = useState('')
  const [page, setPage] = useState(1)
  const list = useCall(messages.optOuts, { query: query.trim(), page, limit: 25 }, { keep: true })
  const add = useSend(messages.addOptOut, { refreshes: [messages.optOuts], said: t('Opt-out saved'), done: () => setAddress('') })
  const end = useSend(messages.endOptOut, { refreshes: [messages.optOuts], said: t('Opt-out ended') })
  const sources = { stop: t('Answered STOP'), gateway: t('At the gateway'), person: t('Entered') }
  const wrong = add.error?.fields.address
  return (
    <SettingsSection title={t('Opt-outs')} help={t('Who answers STOP gets no more text messages of this company. START takes it back.')}>
      <Group align="start" gap="xs">
        <NativeChoice
          label={t('Channel')}
          data={messageChannels.map(value => ({ value, label: t(channelWords[value]) }))}
          value={channel}
          choose={setChannel}
        />
        <TextInput
          label={t('Number or address')}
          value={address}
          error={wrong ? t(wrong) : undefined}
          onChange={event => setAddress(event.currentTarget.value)}
        />
      </Group>
      <Group>
        <Button
          variant="default"
          {...disabledBecause(address.trim().length < 3 && t('Enter a number or an address first'))}
          loading={add.isPending}
          onClick={() => add.mutate({ body: { channel, address } })}
        >
          {t('Add opt-out')}
        </Button>
      </Group>
      <TextInput
        label={t('Find')}
        placeholder={t('Whole number or address')}
        value={query}
        onChange={event => {
          setQuery(event.currentTarget.value)
          setPage(1)
        }}
      />
      <QueryState of={list}>
        {({ rows, total }) => (
          <Stack gap="xs">
            {rows.length === 0 ? (
              <Text size="sm" c="dimmed">
                {query.trim() === '' ? t('No opt-outs') : t('Nothing matches')}
              </Text>
            ) : (
              <Table verticalSpacing="xs">
                <Table.Tbody>
                  {rows.map(row => (
                    <Table.Tr key={row.id}>
                      <Table.Td>{row.address ?? t('Erased person')}</Table.Td>
                      <Table.Td>
                        <Text size="sm" c="dimmed">
                          {[sources[row.source], row.actor, instant(row.at)].filter(Boolean).join(' · ')}
                        </Text>
                      </Table.Td>
                      <Table.Td ta="end">
                        <Button size="compact-sm" variant="subtle" loading={end.isPending} onClick={() => end.mutate({ id: row.id })}>
                          {t('End')}
                        </Button>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            )}
            <Pager page={page} pages={Math.ceil(total / 25)} turn={setPage} />
          </Stack>
        )}
      </QueryState>
    </SettingsSection>
  )
}
