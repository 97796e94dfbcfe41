/** Whom each event of a courier tells: the shop by webhook, the recipient by message, the warehouse by an exception or a tag. */
import { Checkbox, Table, Text, Title } from '@mantine/core'
import { useRef } from 'react'
import * as z from 'zod'
import { isOneOf } from '#domain/objects.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall } from '#ui/query/calls.ts'
import { courierEventLabels } from './courier-event.labels.ts'
import { type CourierEvent, courierEvents, exceptionEvents, occasionEvents, type UsAction } from './courier-events.codes.ts'
import { courierEventSettings } from './courier-events.contract.ts'
import { CourierEventSettings } from './courier-events.schemas.ts'

export function CourierEventForm({ agent_code }: { agent_code: string }) {
  const t = useT()
  const settings = useCall(courierEventSettings.get, { agent_code }, { live: ['courier_settings'] })
  return (
    <section aria-label={t('Courier events')}>
      <Title order={3} size="h5" mb="xs">
        {t('Courier events')}
      </Title>
      <QueryState of={settings} shape="form">
        {found => <EventForm settings={found} />}
      </QueryState>
    </section>
  )
}

/** No message, the active template of the occasion, or the id of a template. */
type Message = string
/** Nothing, an exception, or the id of a tag. */
type Effect = string
const nothing = ''
const exception = 'exception'
const noMessage = ''
const usual = 'occasion'

interface Values extends Record<string, unknown> {
  to_shop: readonly CourierEvent[]
  messages: Readonly<Record<CourierEvent, Message>>
  warehouse: Readonly<Record<CourierEvent, Effect>>
}
const Values = z.custom<Values>()

const messageOf = ({ to_recipient, template_id }: { to_recipient: boolean; template_id: number | null }): Message =>
  to_recipient ? (template_id === null ? usual : String(template_id)) : noMessage

const effectOf = ({ to_us, us_action, tag_id }: { to_us: boolean; us_action: UsAction; tag_id: number | null }): Effect =>
  !to_us ? nothing : us_action === 'exception' ? exception : String(tag_id ?? '')

/** The same for each event. */
const each = <T,>(of: (event: CourierEvent) => T): Record<CourierEvent, T> => ({
  registered: of('registered'),
  handed_over: of('handed_over'),
  in_transit: of('in_transit'),
  customs: of('customs'),
  out_for_delivery: of('out_for_delivery'),
  ready_for_pickup: of('ready_for_pickup'),
  delivered: of('delivered'),
  delivery_failed: of('delivery_failed'),
  delayed: of('delayed'),
  address_problem: of('address_problem'),
  returning: of('returning'),
  returned: of('returned'),
})

function valuesOf({ events }: CourierEventSettings): Values {
  const settings = new Map(events.map(one => [one.event, one]))
  const one = <T,>(event: CourierEvent, of: (setting: (typeof events)[number]) => T, otherwise: T): T => {
    const setting = settings.get(event)
    return setting ? of(setting) : otherwise
  }
  return {
    to_shop: events.filter(setting => setting.to_shop).map(setting => setting.event),
    messages: each(event => one(event, messageOf, noMessage)),
    warehouse: each(event => one(event, effectOf, nothing)),
  }
}

const eventsOf = ({ to_shop, messages, warehouse }: Values) =>
  courierEvents.map(event => {
    const effect = warehouse[event]
    return {
      event,
      to_shop: to_shop.includes(event),
      to_us: effect !== nothing,
      us_action: effect === nothing || effect === exception ? ('exception' as const) : ('tag' as const),
      tag_id: Number(effect) || null,
      to_recipient: messages[event] !== noMessage,
      template_id: Number(messages[event]) || null,
    }
  })

function EventForm({ settings }: { settings: CourierEventSettings }) {
  const t = useT()
  const version = useRef(settings.version)
  const edit = useEdit({
    schema: Values,
    initial: valuesOf(settings),
    save: values =>
      send(courierEventSettings.set, {
        agent_code: settings.agent_code,
        body: { version: version.current, events: eventsOf(values) },
      }),
    refreshes: [courierEventSettings.get],
    said: t('Courier events saved'),
    done: answer => {
      version.current = answer.version
    },
    conflict: {
      schema: CourierEventSettings,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh)
      },
    },
  })
  const { values } = edit
  const mark = (event: CourierEvent, on: boolean) =>
    edit.form.setFieldValue('to_shop', on ? [...values.to_shop, event] : values.to_shop.filter(one => one !== event))
  const tags = settings.tags.map(({ id, name }) => ({ value: String(id), label: t('Tag {{name}}', { name }) }))
  const templates = settings.templates.map(({ id, name, channel, locale }) => ({
    value: String(id),
    label: `${name} (${channel === 'sms' ? t('Text message') : t('E-mail')}, ${locale.slice(0, 2)})`,
  }))
  return (
    <Form edit={edit}>
      <Text size="sm" c="dimmed">
        {t('The shop gets what its webhooks ask for. The warehouse gets an exception of the shipment, or a tag on its order.')}
      </Text>
      <Table.ScrollContainer minWidth={560}>
        <Table verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Event')}</Table.Th>
              <Table.Th>{t('Shop')}</Table.Th>
              <Table.Th>{t('Recipient')}</Table.Th>
              <Table.Th>{t('Warehouse')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {courierEvents.map(event => (
              <Table.Tr key={event}>
                <Table.Td>{t(courierEventLabels[event])}</Table.Td>
                <Table.Td>
                  <Checkbox
                    aria-label={t('Tell the shop: {{event}}', { event: t(courierEventLabels[event]) })}
                    checked={values.to_shop.includes(event)}
                    onChange={({ currentTarget }) => mark(event, currentTarget.checked)}
                  />
                </Table.Td>
                <Table.Td>
                  <NativeChoice
                    size="xs"
                    aria-label={t('Message to the recipient: {{event}}', { event: t(courierEventLabels[event]) })}
                    data={[
                      { value: noMessage, label: t('No message') },
                      ...(isOneOf(occasionEvents, event) ? [{ value: usual, label: t('Active template') }] : []),
                      ...templates,
                    ]}
                    value={values.messages[event]}
                    choose={message => edit.form.setFieldValue('messages', { ...values.messages, [event]: message })}
                  />
                </Table.Td>
                <Table.Td>
                  <NativeChoice
                    size="xs"
                    aria-label={t('What the warehouse gets: {{event}}', { event: t(courierEventLabels[event]) })}
                    data={[
                      { value: nothing, label: t('Nothing') },
                      ...(isOneOf(exceptionEvents, event) ? [{ value: exception, label: t('Exception') }] : []),
                      ...tags,
                    ]}
                    value={values.warehouse[event]}
                    choose={effect => edit.form.setFieldValue('warehouse', { ...values.warehouse, [event]: effect })}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Form>
  )
}
