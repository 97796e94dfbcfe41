/** The drawer in which a line's weight and customs data are corrected, on the order and, if wanted, with its product. It is loaded when somebody edits. */
import { Button, Checkbox, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { isHsCode } from '#domain/customs/goods.ts'
import { orderLines } from '#features/orders/orders/lines/order-lines.contract.ts'
import type { OrderLine } from '#features/orders/orders/orders.schemas.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { countryChoices } from '#ui/kit/format.ts'
import { errorSentence, toastError, toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { CallError } from '#ui/query/call-error.ts'
import { useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { orderRefreshes, useUndoToast } from './order-undo.client.ts'
import { canRestore, type LineValues, type OrderChange } from './order-undo.rules.ts'

type Field = 'tariff' | 'origin' | 'weight'

export default function OrderLineForm({ order_id, line, close }: { order_id: number; line: OrderLine; close: () => void }) {
  const t = useT()
  const { init } = useSignedIn()
  const [tariff, setTariff] = useState(line.hs_code ?? '')
  const [origin, setOrigin] = useState(line.origin)
  const [kilograms, setKilograms] = useState<number | string>(line.weight_g === null ? '' : line.weight_g / 1_000)
  const [keep, setKeep] = useState(line.product_id !== null)
  const [wrong, setWrong] = useState<Partial<Record<Field, string>>>({})
  const undoToast = useUndoToast(order_id)
  const options = { refreshes: orderRefreshes, quiet: true }
  const sendTariff = useSend(orderLines.setTariff, options)
  const sendOrigin = useSend(orderLines.setOrigin, options)
  const sendWeight = useSend(orderLines.setWeight, options)
  const countries = useMemo(() => countryChoices(init.CountryLookup), [init])
  const country_id = init.CountryLookup.find(one => one.iso_code_2 === origin)?.id

  const save = async () => {
    const save_to_product = keep || undefined
    const item_id = line.order_item_id
    const grams = Math.round(Number(kilograms) * 1_000)
    const changes: [Field, () => Promise<unknown>][] = []
    const now: Partial<LineValues> = {}
    const before: Partial<LineValues> = {}
    if (tariff.trim() !== '' && tariff.trim() !== line.hs_code) {
      changes.push(['tariff', () => sendTariff.mutateAsync({ item_id, tariff: tariff.trim(), save_to_product })])
      before.hs_code = line.hs_code
      now.hs_code = tariff.replace(/[\s.]/g, '')
    }
    if (country_id !== undefined && origin !== line.origin) {
      changes.push(['origin', () => sendOrigin.mutateAsync({ item_id, country_id, save_to_product })])
      before.origin = line.origin
      now.origin = origin
    }
    if (kilograms !== '' && grams !== line.weight_g) {
      changes.push(['weight', () => sendWeight.mutateAsync({ kg: (grams / 1_000).toFixed(3), type: 'item', id: item_id, save_to_product })])
      before.weight_g = line.weight_g
      now.weight_g = grams
    }
    const problems: Partial<Record<Field, string>> = {}
    // One after the other: each is a change of the same order.
    for (const [field, change] of changes)
      try {
        await change()
      } catch (error) {
        if (!(error instanceof CallError)) return toastError(error)
        problems[field] = errorSentence(error)
      }
    setWrong(problems)
    if (Object.keys(problems).length > 0) return
    const change = { did: 'line', item_id, now, before } satisfies OrderChange
    if (changes.length > 0 && !keep && canRestore(change)) undoToast(t('The line is corrected'), change)
    else if (changes.length > 0) toastSuccess(t('The line is corrected'))
    close()
  }
  const isDirty =
    tariff !== (line.hs_code ?? '') || origin !== line.origin || kilograms !== (line.weight_g === null ? '' : line.weight_g / 1_000)
  const leave = async () => {
    const question = {
      title: t('Leave without saving?'),
      body: t('What you changed here is not saved.'),
      action: t('Leave without saving'),
      danger: true,
    }
    if (!isDirty || (await confirm(question))) close()
  }
  const busy = sendTariff.isPending || sendOrigin.isPending || sendWeight.isPending
  return (
    <Drawer opened onClose={() => void leave()} title={line.name}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack>
          <TextInput
            label={t('Tariff code')}
            description={t('6 to 11 digits, as customs asks for it.')}
            value={tariff}
            error={wrong.tariff}
            maxLength={20}
            onChange={event => {
              setTariff(event.currentTarget.value)
              setWrong({ ...wrong, tariff: undefined })
            }}
            onBlur={() =>
              setWrong({
                ...wrong,
                tariff: tariff.trim() === '' || isHsCode(tariff) ? undefined : t('A tariff code has 6 to 11 digits'),
              })
            }
            data-autofocus
          />
          <Select
            label={t('Country of origin')}
            data={countries}
            value={origin}
            error={wrong.origin}
            searchable
            clearable
            onChange={setOrigin}
          />
          <NumberInput
            label={t('Weight per item (kg)')}
            value={kilograms}
            error={wrong.weight}
            min={0}
            max={10_000}
            decimalScale={3}
            step={0.1}
            onChange={setKilograms}
          />
          {line.product_id === null ? null : (
            <Checkbox
              label={t('Keep it with the product, for its next orders too')}
              checked={keep}
              onChange={event => setKeep(event.currentTarget.checked)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => void leave()}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  )
}
