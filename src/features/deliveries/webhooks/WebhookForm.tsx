/** A webhook: its address and its events; and its secret, which is shown once. */
import { Anchor, Button, Checkbox, Code, Group, Input, Stack, Switch, Text, TextInput } from '@mantine/core'
import { Copied } from '#ui/kit/CopyButton.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send } from '#ui/query/calls.ts'
import style from './Webhooks.module.css'
import { eventGroups } from './webhooks.codes.ts'
import { webhooks } from './webhooks.contract.ts'
import { groupWords } from './webhooks.labels.ts'
import { type OutgoingWebhook, WebhookFields } from './webhooks.schemas.ts'

interface Saved {
  row: OutgoingWebhook
  secret: string | null
}

export function WebhookForm({ row, done }: { row: OutgoingWebhook | null; done: (saved: Saved) => void }) {
  const t = useT()
  const edit = useEdit({
    schema: WebhookFields,
    initial: {
      name: row?.name ?? '',
      url: row?.url ?? '',
      events: eventGroups.flatMap(({ types }) => types).filter(type => row?.events.includes(type)),
      active: row?.state !== 'disabled',
    },
    save: body => send(webhooks.save, { body: { ...body, ...(row && { id: row.id }) } }),
    refreshes: [webhooks.list],
    said: row ? t('Webhook saved') : t('Webhook added'),
    done,
  })
  const { events, active } = edit.values
  const set = (next: readonly string[]) =>
    edit.form.setFieldValue(
      'events',
      eventGroups.flatMap(({ types }) => types).filter(type => next.includes(type)),
    )
  return (
    <Form edit={edit} action={row ? t('Save') : t('Add webhook')}>
      <TextInput label={t('Name')} data-autofocus {...edit.of('name')} />
      <TextInput
        label={t('Address')}
        description={t('It begins with https:// and can be reached from the internet.')}
        type="url"
        autoCapitalize="none"
        spellCheck={false}
        {...edit.of('url')}
      />
      <Input.Wrapper
        component="fieldset"
        className={style.events}
        label={t('Events')}
        labelElement="div"
        description={
          <Anchor href="/docs" target="_blank" rel="noreferrer" size="sm">
            {t('What each event says')}
          </Anchor>
        }
        error={edit.of('events').error}
      >
        <Stack gap="md" mt="xs">
          {eventGroups.map(({ object, types }) => {
            const chosen = events.filter(type => types.includes(type))
            const others = events.filter(type => !types.includes(type))
            return (
              <Stack key={object} gap={6}>
                <Checkbox
                  label={<strong>{t(groupWords[object] ?? object)}</strong>}
                  checked={chosen.length === types.length}
                  indeterminate={chosen.length > 0 && chosen.length < types.length}
                  onChange={event => set(event.currentTarget.checked ? [...others, ...types] : others)}
                />
                <Checkbox.Group value={chosen} onChange={next => set([...others, ...next])}>
                  <Stack gap={4} pl="lg">
                    {types.map(type => (
                      <Checkbox key={type} value={type} label={<Code>{type}</Code>} />
                    ))}
                  </Stack>
                </Checkbox.Group>
              </Stack>
            )
          })}
        </Stack>
      </Input.Wrapper>
      <Switch
        label={t('Switched on')}
        description={t('What happens while it is off is never delivered.')}
        checked={active}
        onChange={event => edit.form.setFieldValue('active', event.currentTarget.checked)}
      />
    </Form>
  )
}

export function SecretOnce({ secret, close }: { secret: string; close: () => void }) {
  const t = useT()
  return (
    <Dialog opened={secret !== ''} onClose={close} title={t('Copy the secret now')} size="lg" closeOnClickOutside={false}>
      <Stack>
        <Text>{t('With it your system checks that an event comes from here. It is shown only here and now.')}</Text>
        <Copied text={secret} label={t('Copy secret')} />
        <Group>
          <Button onClick={close}>{t('Secret copied')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
