/** The drawer with the form of an order's shipping address. It is loaded when somebody edits. */
import { SimpleGrid, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { AddressChange, Order } from '#features/orders/orders/orders.schemas.ts'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { useDraft } from '#ui/kit/drafts.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { country } from '#ui/kit/format.ts'
import { PhoneInput } from '#ui/kit/PhoneInput.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send } from '#ui/query/calls.ts'
import { addressDraft, addressFieldsOf } from './address-draft.client.ts'

interface OrderAddressFormProps {
  order: Order
  opened: boolean
  close: () => void
}

export default function OrderAddressForm({ order, opened, close }: OrderAddressFormProps) {
  const t = useT()
  // A drawer that is open from its first moment does not know to which button it gives the focus back.
  const [shown, setShown] = useState(false)
  useEffect(() => setShown(opened), [opened])
  return (
    <Drawer opened={shown} onClose={close} title={t('Shipping address')}>
      <AddressForm order={order} close={close} />
    </Drawer>
  )
}

/** What is written is kept as a draft, so that closing the drawer loses nothing. */
function AddressForm({ order, close }: { order: Order; close: () => void }) {
  const draft = useDraft(`order ${order.id} address`, addressDraft)
  const t = useT()
  const saved = addressFieldsOf(order.ship_to)
  const { values: begun, over } = draft.value
  const untouched = over === null || JSON.stringify(over) === JSON.stringify(saved)
  const [from, setFrom] = useState({ version: untouched ? order.version : draft.value.version, over: over ?? saved })
  const drop = () => {
    draft.forget()
    close()
  }
  const edit = useEdit({
    schema: AddressChange.omit({ version: true }),
    initial: from.over,
    ...(begun && { begun }),
    save: values => send(orders.setAddress, { order_id: order.id, body: { ...values, version: from.version } }),
    refreshes: [orders.get, orders.search, orders.timeline],
    said: t('The address is changed'),
    undo: (answer, before) => send(orders.setAddress, { order_id: order.id, body: { ...before, version: answer.version } }),
    done: drop,
    changed: (values, dirty) => (dirty ? draft.set({ values, ...from }) : draft.forget()),
    conflict: {
      schema: Order.pick({ version: true, ship_to: true }),
      values: fresh => {
        const theirs = addressFieldsOf(fresh.ship_to)
        setFrom({ version: fresh.version, over: theirs })
        return theirs
      },
    },
  })
  return (
    <Form edit={edit} cancel={drop} action={t('Save address')} unguarded>
      <TextInput label={t('Name')} autoComplete="off" data-autofocus {...edit.of('name')} />
      <SimpleGrid cols={2} spacing="xs">
        <TextInput label={t('Company')} autoComplete="off" {...edit.of('company')} />
        <TextInput label={t('Attention')} autoComplete="off" {...edit.of('attention')} />
      </SimpleGrid>
      <TextInput label={t('Street and number')} autoComplete="off" {...edit.of('address1')} />
      <TextInput label={t('Floor, door')} autoComplete="off" {...edit.of('address2')} />
      <SimpleGrid cols={2} spacing="xs">
        <TextInput label={t('Postcode')} autoComplete="off" {...edit.of('postcode')} />
        <TextInput label={t('City')} autoComplete="off" {...edit.of('city')} />
      </SimpleGrid>
      <TextInput label={t('Region')} autoComplete="off" {...edit.of('region')} />
      <Text size="sm" c="dimmed">
        {t('{{country}}: another country would be another order.', { country: country(order.ship_to.country) })}
      </Text>
      <SimpleGrid cols={2} spacing="xs">
        <PhoneInput label={t('Phone')} country={order.ship_to.country} autoComplete="off" {...edit.of('phone')} />
        <TextInput label={t('E-mail')} type="email" autoComplete="off" {...edit.of('email')} />
      </SimpleGrid>
      <TextInput label={t('Instruction')} autoComplete="off" {...edit.of('instruction')} />
      <TextInput label={t('Door code')} autoComplete="off" {...edit.of('door_code')} />
    </Form>
  )
}
