/** The form of one template, with what it becomes for an order beside it. */
import { Button, Group, Menu, Select, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconExternalLink, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import * as z from 'zod'
import { type Locale, locales } from '#contract/limits.ts'
import { isOneOf, keysOf } from '#domain/objects.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { localeNames, useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCommand, useSend } from '#ui/query/calls.ts'
import { asksRecipient, usualChoices } from './answer-link.rules.ts'
import { ChoicePicker } from './ChoicePicker.tsx'
import { MessagePreviewPanel } from './MessagePreviewPanel.tsx'
import style from './Templates.module.css'
import { blockWords, channelWords, targetWords, triggerWords } from './template.labels.ts'
import {
  type AnswerChoice,
  blockKinds,
  buttonTargets,
  type MessageChannel,
  type MessageTrigger,
  messageChannels,
  messageTriggers,
  templateWords,
} from './templates.codes.ts'
import { templates } from './templates.contract.ts'
import { type EmailBlock, MessageTemplate, TemplateFields } from './templates.schemas.ts'

interface Values extends Record<string, unknown> {
  channel: MessageChannel
  locale: Locale
  trigger: MessageTrigger
  name: string
  subject: string
  body: string
  blocks: EmailBlock[]
  choices: AnswerChoice[]
  urgent: boolean
  delay_minutes: number | ''
  active: boolean
}
const valuesOf = (template: MessageTemplate | null, locale: Locale): Values => ({
  channel: template?.channel ?? 'sms',
  locale: template?.locale ?? locale,
  trigger: template?.trigger ?? 'manual',
  name: template?.name ?? '',
  subject: template?.subject ?? '',
  body: template?.body ?? '',
  blocks: template?.blocks ?? [],
  choices: template?.choices ?? [],
  urgent: template?.urgent ?? false,
  delay_minutes: template?.delay_minutes ?? 0,
  active: template?.active ?? true,
})
const bodyOf = (values: Values) => ({
  ...values,
  delay_minutes: values.delay_minutes === '' ? 0 : values.delay_minutes,
  ...(values.channel === 'sms' ? { subject: '', blocks: [] } : { body: '' }),
})
/** Only what is sent on the channel. */
const textsOf = ({ channel, body, subject, blocks }: Values) => (channel === 'sms' ? { body } : { subject, blocks })
const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values))
  .pipe(TemplateFields)

export interface PreviewOrder {
  id: number
  order_no: string
  customer_name: string
}

interface TemplateFormProps {
  template: MessageTemplate | null
  locale: Locale
  mayEdit: boolean
  /** Real orders for the preview. */
  orders: readonly PreviewOrder[]
  close: () => void
  made?: (template: MessageTemplate) => void
}

export function TemplateForm({ template, locale, mayEdit, orders, close, made }: TemplateFormProps) {
  const t = useT()
  const version = useRef(template?.version ?? 0)
  const [order_id, setOrder] = useState<number | null>(null)
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(template, locale),
    save: values =>
      template
        ? send(templates.update, { id: template.id, body: { ...bodyOf(values), version: version.current } })
        : send(templates.create, { body: bodyOf(values) }),
    refreshes: [templates.list, templates.get],
    said: t('Template saved'),
    done: saved => {
      version.current = saved.version
      made?.(saved)
    },
    conflict: {
      schema: MessageTemplate,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh, locale)
      },
    },
  })
  const { values } = edit
  const link = useCommand((id: number) => send(templates.link, { id }), {
    done: ({ path }) => void window.open(path, '_blank', 'noopener'),
  })
  return (
    <div className={style.form}>
      <fieldset
        {...disabledBecause(!mayEdit && t('You do not have permission for this. Ask a lead.'))}
        style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}
      >
        <Form edit={edit} {...(template ? {} : { action: t('Add template'), cancel: close })}>
          <TextInput label={t('Name')} data-autofocus={template === null || undefined} {...edit.of('name')} />
          <NativeChoice
            label={t('Occasion')}
            data={messageTriggers.map(value => ({ value, label: t(triggerWords[value]) }))}
            value={values.trigger}
            choose={value => edit.form.setFieldValue('trigger', value)}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NativeChoice
              label={t('Channel')}
              {...disabledBecause(template !== null && t('It was set when this was added, and stays'))}
              data={messageChannels.map(value => ({ value, label: t(channelWords[value]) }))}
              value={values.channel}
              choose={value => edit.form.setFieldValue('channel', value)}
            />
            <NativeChoice
              label={t('Language')}
              data={locales.map(value => ({ value, label: localeNames[value] }))}
              value={values.locale}
              choose={value => edit.form.setFieldValue('locale', value)}
            />
          </SimpleGrid>
          {values.channel === 'sms' ? (
            <Textarea
              label={t('Text')}
              description={t('Words stand in double braces; a fallback takes the place of a missing one.')}
              autosize
              minRows={4}
              maxRows={12}
              {...edit.of('body')}
            />
          ) : (
            <>
              <TextInput label={t('Subject')} {...edit.of('subject')} />
              <Blocks blocks={values.blocks} errors={edit.form.errors} set={blocks => edit.form.setFieldValue('blocks', blocks)} />
            </>
          )}
          {values.trigger === 'return_approved' && values.channel === 'email' && !leadsToReturn(values.blocks) ? (
            <Text size="sm" c="dimmed">
              {t('Add a button or the word {{word}} that leads to the return. Until then the return portal sends its own mail instead.', {
                word: 'return_url',
              })}
            </Text>
          ) : null}
          <Words
            add={word => {
              edit.form.setFieldValue('body', `${values.body}{{ ${word} }}`)
              if (word === 'answer_url' && values.choices.length === 0) edit.form.setFieldValue('choices', usualChoices(values.trigger))
            }}
            sms={values.channel === 'sms'}
          />
          {asksRecipient(textsOf(values)) || values.choices.length > 0 ? (
            <ChoicePicker
              value={values.choices}
              choose={choices => edit.form.setFieldValue('choices', choices)}
              error={edit.form.errors.choices}
            />
          ) : null}
          {values.trigger === 'manual' ? null : (
            <WholeNumberInput
              label={t('Wait before sending')}
              description={t('Minutes after the occasion. If it is over by then, nothing is sent.')}
              min={0}
              max={10_080}
              hideControls
              suffix={` ${t('min')}`}
              {...edit.of('delay_minutes')}
            />
          )}
          {values.channel === 'sms' && values.trigger !== 'manual' ? (
            <Switch label={t('Urgent')} description={t('Sent in quiet hours too.')} {...edit.of('urgent', 'checkbox')} />
          ) : null}
          <Switch
            label={t('In use')}
            description={values.trigger === 'manual' ? t('Off: people cannot choose it.') : t('Off: the occasion sends nothing.')}
            {...edit.of('active', 'checkbox')}
          />
        </Form>
        {template && mayEdit ? <Remove template={template} close={close} /> : null}
      </fieldset>
      <Stack gap="sm">
        <Select
          label={t('Preview with')}
          data={[
            { value: '', label: t('Invented data') },
            ...orders.map(order => ({ value: String(order.id), label: `${order.order_no} ${order.customer_name}` })),
          ]}
          searchable
          value={order_id === null ? '' : String(order_id)}
          onChange={value => setOrder(value ? Number(value) : null)}
        />
        <MessagePreviewPanel
          channel={values.channel}
          body={values.body}
          subject={values.subject}
          blocks={values.blocks}
          order_id={order_id}
          locale={values.locale}
          {...(mayEdit && { replace: (text: string) => edit.form.setFieldValue('body', text) })}
        />
        {template?.channel === 'email' ? (
          <Group>
            <Button
              variant="default"
              leftSection={<IconExternalLink size={16} />}
              loading={link.isPending}
              onClick={() => link.mutate(template.id)}
            >
              {t('Open preview')}
            </Button>
          </Group>
        ) : null}
      </Stack>
    </div>
  )
}

const leadsToReturn = (blocks: readonly EmailBlock[]): boolean =>
  blocks.some(
    block => (block.kind === 'button' ? block.target === 'return' : false) || ('text' in block && block.text.includes('return_url')),
  )

/** Inserts a word at the end of a text message; in an e-mail it says which there are. */
function Words({ add, sms }: { add: (word: string) => void; sms: boolean }) {
  const t = useT()
  return sms ? (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" size="compact-sm" style={{ alignSelf: 'start' }} leftSection={<IconPlus size={16} />}>
          {t('Insert word')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {keysOf(templateWords).map(word => (
          <Menu.Item key={word} onClick={() => add(word)}>
            {word}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  ) : (
    <Text size="xs" c="dimmed">
      {t('Words: {{words}}', { words: keysOf(templateWords).join(', ') })}
    </Text>
  )
}

const newBlock = (kind: (typeof blockKinds)[number]): EmailBlock =>
  kind === 'button' ? { kind, text: '', target: 'tracking' } : kind === 'heading' || kind === 'text' ? { kind, text: '' } : { kind }

function Blocks({
  blocks,
  errors,
  set,
}: {
  blocks: readonly EmailBlock[]
  errors: Record<string, unknown>
  set: (blocks: EmailBlock[]) => void
}) {
  const t = useT()
  const put = (at: number, block: EmailBlock) => set(blocks.map((one, place) => (place === at ? block : one)))
  const move = (at: number, by: -1 | 1) => {
    const next = [...blocks]
    const [moved] = next.splice(at, 1)
    if (moved) next.splice(at + by, 0, moved)
    set(next)
  }
  const wrong = (at: number) => {
    const error = errors[`blocks.${at}.text`]
    return typeof error === 'string' ? error : undefined
  }
  return (
    <Stack gap="xs" role="group" aria-label={t('Blocks')}>
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block has no name but its place
        <div key={at} className={style.block}>
          <Group justify="space-between" gap="xs" mb={'text' in block ? 'xs' : 0}>
            <Text size="sm" fw={500}>
              {t(blockWords[block.kind])}
            </Text>
            <Group gap={4}>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('Up')}
                {...disabledBecause(at === 0 && t('Already the first'))}
                onClick={() => move(at, -1)}
              >
                <IconArrowUp size={16} />
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('Down')}
                {...disabledBecause(at === blocks.length - 1 && t('Already the last'))}
                onClick={() => move(at, 1)}
              >
                <IconArrowDown size={16} />
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                color="brick"
                aria-label={t('Remove block')}
                onClick={() => set(blocks.filter((_, place) => place !== at))}
              >
                <IconTrash size={16} />
              </Button>
            </Group>
          </Group>
          {'text' in block ? (
            <Textarea
              aria-label={t(blockWords[block.kind])}
              autosize
              minRows={block.kind === 'text' ? 3 : 1}
              maxLength={block.kind === 'text' ? 2_000 : block.kind === 'heading' ? 150 : 60}
              value={block.text}
              error={wrong(at)}
              onChange={event => put(at, { ...block, text: event.currentTarget.value })}
            />
          ) : null}
          {block.kind === 'button' ? (
            <NativeChoice
              mt="xs"
              label={t('Leads to')}
              data={buttonTargets.map(value => ({ value, label: t(targetWords[value]) }))}
              value={block.target}
              choose={target => put(at, { ...block, target })}
            />
          ) : null}
        </div>
      ))}
      {typeof errors.blocks === 'string' ? (
        <Text size="sm" c="brick">
          {errors.blocks}
        </Text>
      ) : null}
      <Select
        aria-label={t('Add block')}
        placeholder={t('Add block')}
        data={blockKinds.map(kind => ({ value: kind, label: t(blockWords[kind]) }))}
        value={null}
        onChange={kind => isOneOf(blockKinds, kind) && set([...blocks, newBlock(kind)])}
      />
    </Stack>
  )
}

function Remove({ template, close }: { template: MessageTemplate; close: () => void }) {
  const t = useT()
  const remove = useSend(templates.remove, {
    refreshes: [templates.list],
    said: t('{{name}} removed', { name: template.name }),
    done: close,
  })
  const ask = async () => {
    const body = t('Its occasion sends nothing any more. Messages that were written with it stay.')
    if (await confirm({ title: t('Remove {{name}}?', { name: template.name }), body, action: t('Remove template'), danger: true }))
      remove.mutate({ id: template.id })
  }
  return (
    <Button mt="md" variant="subtle" color="brick" loading={remove.isPending} onClick={() => void ask()}>
      {t('Remove template')}
    </Button>
  )
}
