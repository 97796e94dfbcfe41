/** What a courier refused, corrected in place: the address of an order, or the weight of its parcel. */
import { Button, NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { AddressChange, Order } from '#features/orders/orders/orders.schemas.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { CallError } from '#ui/query/call-error.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { type AddressField, addressFieldOf } from './label-correction.rules.ts'

interface Shown {
  className: string | undefined
  /** Of its button, and of a field that stands alone. */
  size: 'sm' | 'lg'
  busy?: boolean
}

const focusFirst = (element: HTMLElement | null): void => element?.focus()

export function WeightForm({
  weight_g,
  save,
  className,
  size,
  busy = false,
}: { weight_g: number; save: (weight_g: number) => void } & Shown) {
  const t = useT()
  const [kilos, setKilos] = useState<number | string>(weight_g > 0 ? weight_g / 1_000 : '')
  return (
    <form
      className={className}
      onSubmit={event => {
        event.preventDefault()
        if (typeof kilos === 'number' && kilos > 0) save(Math.round(kilos * 1_000))
      }}
    >
      <NumberInput
        size={size}
        label={t('Weight in kg')}
        value={kilos}
        onChange={setKilos}
        min={0.001}
        max={2_000}
        decimalScale={3}
        hideControls
        ref={focusFirst}
        onFocus={event => event.currentTarget.select()}
      />
      <Button size={size} type="submit" loading={busy}>
        {t('Save and try again')}
      </Button>
    </form>
  )
}

interface AddressProps extends Shown {
  order_id: number
  /** As the courier names it. */
  field: string | null
  saved: () => void
  failed: (error: CallError) => void
}

export function AddressCorrection({ order_id, ...props }: AddressProps) {
  const whole = useCall(orders.get, { id: order_id })
  return (
    <QueryState of={whole} shape="form">
      {loaded => <AddressForm order={loaded} {...props} />}
    </QueryState>
  )
}

function AddressForm({
  order,
  field: named,
  saved,
  failed,
  className,
  size,
  busy = false,
}: { order: Order } & Omit<AddressProps, 'order_id'>) {
  const t = useT()
  const words: Record<AddressField, string> = {
    name: t('Name'),
    company: t('Company'),
    attention: t('Contact person'),
    address1: t('Street and number'),
    address2: t('Address, second line'),
    postcode: t('Postcode'),
    city: t('City'),
    phone: t('Phone'),
    email: t('E-mail'),
  }
  const field = addressFieldOf(named) ?? 'postcode'
  const shown = [field, ...(['name', 'address1', 'postcode', 'city', 'phone'] as const).filter(one => one !== field)]
  // What is written stays when the order is read again meanwhile.
  const [edits, setEdits] = useState<Partial<Record<AddressField, string>>>({})
  const stored = (one: AddressField) => order.ship_to[one] ?? (one === 'phone' ? order.ship_to.phone_raw : '') ?? ''
  const shownAs = (one: AddressField) => edits[one] ?? stored(one)
  const save = useSend(orders.setAddress, { refreshes: [orders.get], quiet: true, done: saved })
  return (
    <form
      className={className}
      onSubmit={event => {
        event.preventDefault()
        const changed = shown.filter(one => shownAs(one) !== stored(one))
        if (changed.length === 0) return saved()
        const body: AddressChange = { version: order.version, ...Object.fromEntries(changed.map(one => [one, shownAs(one)])) }
        save.mutate({ order_id: order.id, body }, { onError: failed })
      }}
    >
      {shown.map(one => (
        <TextInput
          key={one}
          size={size === 'lg' ? 'md' : size}
          label={words[one]}
          value={shownAs(one)}
          onChange={event => {
            const text = event.currentTarget.value
            setEdits(before => ({ ...before, [one]: text }))
          }}
          error={
            save.error?.fields[one] ? t(save.error.fields[one]) : one === field && !save.isError ? t('Rejected by the courier') : undefined
          }
          ref={one === field ? focusFirst : undefined}
        />
      ))}
      <Button size={size} type="submit" loading={save.isPending || busy}>
        {t('Save and try again')}
      </Button>
    </form>
  )
}
