/** Whom each event of a courier tells: the shop by webhook, the recipient by message, the warehouse by an exception. */
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
import { type CourierEvent, courierEvents, exceptionEvents, occasionEvents } from './courier-events.codes.ts'
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
const noMessage = ''
const usual = 'occasion'

interface Values extends Record<string, unknown> {
  to_shop: readonly CourierEvent[]
  to_us: readonly CourierEvent[]
  messages: Readonly<Record<CourierEvent, Message>>
}
const Values = z.custom<Values>()

const messageOf = ({ to_recipient, template_id }: { to_recipient: boolean; template_id: number | null }): Message =>
  to_recipient ? (template_id === null ? usual : String(template_id)) : noMessage

function valuesOf({ events }: CourierEventSettings): Values {
  const messages = new Map(events.map(one => [one.event, messageOf(one)]))
  const message = (event: CourierEvent) => messages.get(event) ?? noMessage
  return {
    to_shop: events.filter(one => one.to_shop).map(one => one.event),
    to_us: events.filter(one => one.to_us).map(one => one.event),
    messages: {
      registered: message('registered'),
      handed_over: message('handed_over'),
      in_transit: message('in_transit'),
      customs: message('customs'),
      out_for_delivery: message('out_for_delivery'),
      ready_for_pickup: message('ready_for_pickup'),
      delivered: message('delivered'),
      delivery_failed: message('delivery_failed'),
      delayed: message('delayed'),
      address_problem: message('address_problem'),
      returning: message('returning'),
      returned: message('returned'),
    },
  }
}

const eventsOf = ({ to_shop, to_us, messages }: Values) =>
  courierEvents.map(event => ({
    event,
    to_shop: to_shop.includes(event),
    to_us: to_us.includes(event),
    to_recipient: messages[event] !== noMessage,
    template_id: Number(messages[event]) || null,
  }))

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
  const mark = (field: 'to_shop' | 'to_us', event: CourierEvent, on: boolean) =>
    edit.form.setFieldValue(field, on ? [...values[field], event] : values[field].filter(one => one !== event))
  const templates = settings.templates.map(({ id, name, channel, locale }) => ({
    value: String(id),
    label: `${name} (${channel === 'sms' ? t('Text message') : t('E-mail')}, ${locale.slice(0, 2)})`,
  }))
  return (
    <Form edit={edit}>
      <Text size="sm" c="dimmed">
        {t('The shop gets what its webhooks ask for. The warehouse gets an exception of the shipment.')}
      </Text>
      <Table.ScrollContainer minWidth={480}>
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
                    onChange={({ currentTarget }) => mark('to_shop', event, currentTarget.checked)}
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
                  {isOneOf(exceptionEvents, event) ? (
                    <Checkbox
                      aria-label={t('Open an exception: {{event}}', { event: t(courierEventLabels[event]) })}
                      checked={values.to_us.includes(event)}
                      onChange={({ currentTarget }) => mark('to_us', event, currentTarget.checked)}
                    />
                  ) : null}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Form>
  )
}
