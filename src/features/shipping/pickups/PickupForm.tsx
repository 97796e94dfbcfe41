/** What a courier is asked to collect, and when. */
import { NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import * as z from 'zod'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { today } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { CallError } from '#ui/query/call-error.ts'
import { type Received, send } from '#ui/query/calls.ts'
import { pickups } from './pickups.contract.ts'
import { NewPickup, type Pickup } from './pickups.schemas.ts'

type Couriers = Received<typeof pickups.couriers>

interface Values extends Record<string, unknown> {
  agent_code: string
  day: string
  from_time: string
  to_time: string
  parcels: number | ''
  /** In kilograms, as people write it. */
  weight_kg: number | ''
  note: string
}

const fieldsOf = ({ weight_kg, parcels, ...values }: Values, client_id: string) => ({
  ...values,
  client_id,
  parcels: parcels === '' ? 0 : parcels,
  weight_g: weight_kg === '' ? 0 : Math.round(weight_kg * 1_000),
})

interface FormProps {
  couriers: Couriers
  company_id: number | undefined
  done: (pickup: Pickup) => void
  cancel: () => void
}

export function PickupForm({ couriers, company_id, done, cancel }: FormProps) {
  const t = useT()
  const [client_id, setClientId] = useState(() => crypto.randomUUID())
  const waiting = (agent_code: string) => couriers.find(one => one.agent_code === agent_code)
  const [first] = couriers.toSorted((one, other) => other.parcels - one.parcels)
  const schema = z
    .custom<Values>()
    .transform((values): unknown => fieldsOf(values, client_id))
    .pipe(NewPickup)
  const edit = useEdit({
    schema,
    initial: {
      agent_code: first?.agent_code ?? '',
      day: today(),
      from_time: '14:00',
      to_time: '17:00',
      parcels: first?.parcels || 1,
      weight_kg: first ? first.weight_g / 1_000 : '',
      note: '',
    },
    save: async (values: Values) => {
      try {
        return await send(pickups.order, { body: { ...NewPickup.parse(fieldsOf(values, client_id)), ...(company_id && { company_id }) } })
      } catch (error) {
        // What the courier refused is asked anew. Where no answer came, the same id finds out what became of it.
        if (error instanceof CallError && error.code === 'pickup_refused') setClientId(crypto.randomUUID())
        throw error
      }
    },
    refreshes: [pickups.list],
    done,
  })
  const { form, values } = edit
  const chosen = waiting(values.agent_code)
  return (
    <Form edit={edit} action={t('Order pickup')} cancel={cancel}>
      <Select
        label={t('Courier')}
        data={couriers.map(({ agent_code, name }) => ({ value: agent_code, label: name }))}
        {...form.getInputProps('agent_code')}
        onChange={value => {
          const next = waiting(value ?? '')
          if (!next) return
          form.setValues({ agent_code: next.agent_code, parcels: next.parcels || 1, weight_kg: next.weight_g / 1_000 })
        }}
        description={chosen ? t('{{count}} parcels wait for it.', { count: chosen.parcels }) : undefined}
      />
      <TextInput type="date" label={t('Day')} min={today()} {...edit.of('day')} />
      <SimpleGrid cols={2} spacing="sm">
        <TextInput type="time" label={t('Ready from')} {...edit.of('from_time')} />
        <TextInput
          type="time"
          label={t('Until')}
          description={chosen && !chosen.window ? t('The courier sets its own time.') : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...edit.of('to_time')}
        />
      </SimpleGrid>
      <SimpleGrid cols={2} spacing="sm">
        <WholeNumberInput label={t('Parcels')} min={1} max={999} allowNegative={false} {...edit.of('parcels')} />
        <NumberInput
          label={t('Weight')}
          suffix=" kg"
          min={0}
          max={100_000}
          decimalScale={3}
          allowNegative={false}
          hideControls
          {...form.getInputProps('weight_kg')}
          error={form.errors.weight_kg ?? form.errors.weight_g}
        />
      </SimpleGrid>
      <Textarea label={t('Note to the driver')} autosize minRows={2} {...edit.of('note')} />
    </Form>
  )
}
