/** A webhook: its address and its events; and its secret, which is shown once. */
import { Anchor, Button, Checkbox, Code, Group, Input, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useRef } from 'react'
import type * as z from 'zod'
import { Copied } from '#ui/kit/CopyButton.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { SecretInput } from '#ui/kit/SecretInput.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send } from '#ui/query/calls.ts'
import style from './Webhooks.module.css'
import { allOf, eventGroups } from './webhooks.codes.ts'
import { webhooks } from './webhooks.contract.ts'
import { groupWords } from './webhooks.labels.ts'
import { OutgoingWebhook, WebhookFields } from './webhooks.schemas.ts'

interface Saved {
  row: OutgoingWebhook
  secret: string | null
}

const choices = eventGroups.flatMap(({ object, types }) => [allOf(object), ...types])

const fieldsOf = (row: OutgoingWebhook | null): z.output<typeof WebhookFields> => ({
  name: row?.name ?? '',
  url: row?.url ?? '',
  events: choices.filter(one => row?.events.includes(one)),
  active: row?.state !== 'disabled',
  shop: row?.shop ?? null,
  header_name: row?.header_name ?? null,
  header_value: '',
})

export function WebhookForm({ row, done }: { row: OutgoingWebhook | null; done: (saved: Saved) => void }) {
  const t = useT()
  const version = useRef(row?.version)
  const edit = useEdit({
    schema: WebhookFields,
    initial: fieldsOf(row),
    save: ({ header_value, ...body }) =>
      send(webhooks.save, {
        body: { ...body, ...(header_value && { header_value }), ...(row && { id: row.id, version: version.current }) },
      }),
    refreshes: [webhooks.list],
    said: row ? t('Webhook saved') : t('Webhook added'),
    done,
    conflict: {
      schema: OutgoingWebhook,
      values: fresh => {
        version.current = fresh.version
        return fieldsOf(fresh)
      },
    },
  })
  const { events, active, header_name, header_value } = edit.values
  const set = (next: readonly string[]) =>
    edit.form.setFieldValue(
      'events',
      choices.filter(one => next.includes(one)),
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
          <>
            {t('A group that is chosen whole has also events that are added later.')}{' '}
            <Anchor href="/docs" target="_blank" rel="noreferrer" size="sm">
              {t('What each event says')}
            </Anchor>
          </>
        }
        error={edit.of('events').error}
      >
        <Stack gap="md" mt="xs">
          {eventGroups.map(({ object, types }) => {
            const whole = allOf(object)
            const chosen = types.filter(type => events.includes(whole) || events.includes(type))
            const others = events.filter(one => one !== whole && !types.some(type => type === one))
            return (
              <Stack key={object} gap={6}>
                <Checkbox
                  label={<strong>{t(groupWords[object] ?? object)}</strong>}
                  checked={chosen.length === types.length}
                  indeterminate={chosen.length > 0 && chosen.length < types.length}
                  onChange={event => set(event.currentTarget.checked ? [...others, whole] : others)}
                />
                <Checkbox.Group value={chosen} onChange={next => set([...others, ...(next.length === types.length ? [whole] : next)])}>
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
      <TextInput
        label={t('Shop')}
        description={t('Only events of this shop’s orders. Empty means all shops.')}
        autoCapitalize="none"
        spellCheck={false}
        {...edit.of('shop')}
        value={edit.values.shop ?? ''}
        onChange={event => edit.form.setFieldValue('shop', event.currentTarget.value || null)}
      />
      <TextInput
        label={t('Own header')}
        description={t('A header that your system asks for, such as X-Api-Key. It is sent with each event.')}
        autoCapitalize="none"
        spellCheck={false}
        {...edit.of('header_name')}
        value={header_name ?? ''}
        onChange={event => edit.form.setFieldValue('header_name', event.currentTarget.value || null)}
      />
      {header_name === null ? null : (
        <SecretInput
          label={t('Value of the header')}
          last4={row?.header_last4 ?? null}
          value={header_value ?? ''}
          onChange={value => edit.form.setFieldValue('header_value', value)}
          error={edit.of('header_value').error}
        />
      )}
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
