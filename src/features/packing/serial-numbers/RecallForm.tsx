/** A recall: which serial numbers of a product, how many customers have one, a message to them, and their list as a file. */
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload, IconHandStop } from '@tabler/icons-react'
import { type ComponentType, Suspense, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { number } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { toastInfo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { serialNumbers } from './serial-numbers.contract.ts'
import { serialUnits } from './serial-units.contract.ts'

export interface RecallMessageProps {
  /** Empty where there are more than one message reaches. */
  order_ids: readonly number[]
  orders: number
}

export function RecallForm({ sku: initial, Message }: { sku: string; Message: ComponentType<RecallMessageProps> }) {
  const t = useT()
  const [typed, setTyped] = useState({ sku: initial, first: '', last: '' })
  const [settled] = useDebouncedValue(typed, 300)
  const range = {
    sku: settled.sku.trim(),
    ...(settled.first.trim() && { first: settled.first.trim() }),
    ...(settled.last.trim() && { last: settled.last.trim() }),
  }
  const known = range.sku !== ''
  const counts = useCall(serialNumbers.recall, range, { enabled: known, keep: true })
  const save = useCommand((asked: typeof range) => send(serialNumbers.recallCsv, asked), { done: saveFile })
  const field = (key: keyof typeof typed) => ({
    value: typed[key],
    maxLength: key === 'sku' ? limits.code : limits.barcode,
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => setTyped({ ...typed, [key]: event.currentTarget.value }),
  })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (known) save.mutate(range)
      }}
    >
      <Stack gap="md">
        <TextInput label={t('SKU')} required data-autofocus {...field('sku')} />
        <TextInput label={t('First serial number')} description={t('Empty: from the first one on.')} {...field('first')} />
        <TextInput label={t('Last serial number')} description={t('Empty: to the last one.')} {...field('last')} />
        {known ? (
          <QueryState of={counts}>
            {({ serials, orders, order_ids, unreachable }) => (
              <Stack gap="xs" aria-live="polite">
                <Text fw={600}>
                  {serials === 0
                    ? t('No customer has such a serial number')
                    : t('Serial numbers: {{serials}}. Orders: {{orders}}.', { serials: number(serials), orders: number(orders) })}
                </Text>
                {unreachable > 0 ? (
                  <Alert color="amber">
                    {t('Orders without e-mail address and phone number: {{orders}}. Write to these customers by post.', {
                      orders: number(unreachable),
                    })}
                  </Alert>
                ) : null}
                <Group gap="xs">
                  <Button
                    type="submit"
                    leftSection={<IconDownload size={16} />}
                    loading={save.isPending}
                    {...disabledBecause(serials === 0 && t('No serial number is found'))}
                  >
                    {t('Save recall list')}
                  </Button>
                  <Suspense>
                    <Message order_ids={order_ids} orders={orders} />
                  </Suspense>
                </Group>
                <Text size="sm" c="dimmed">
                  {t('The file holds a row for each serial number, with name, address, e-mail address and phone number of the customer.')}
                </Text>
                <HoldBack range={range} />
              </Stack>
            )}
          </QueryState>
        ) : null}
      </Stack>
    </form>
  )
}

/** Those in stock, and those that come back, go out no more. */
function HoldBack({ range }: { range: { sku: string; first?: string; last?: string } }) {
  const t = useT()
  const recall = useSend(serialUnits.recall, {
    refreshes: [serialUnits.list],
    done: ({ recalled }) => toastInfo(t('Recalled: {{count}}', { count: number(recalled) })),
  })
  const ask = async () => {
    const { sku, ...body } = range
    const sure = await confirm({
      title: t('Stop these serial numbers?'),
      body: t('Stations refuse them from now on, also those that come back. Serial numbers can be allowed again one by one.'),
      action: t('Stop them'),
      danger: true,
    })
    if (sure) recall.mutate({ sku, body })
  }
  return (
    <Stack gap={4} mt="sm" align="start">
      <Button variant="default" leftSection={<IconHandStop size={16} />} loading={recall.isPending} onClick={ask}>
        {t('Stop at stations')}
      </Button>
      <Text size="sm" c="dimmed">
        {t('Serial numbers of this range in stock, and those that come back, are refused at every station.')}
      </Text>
    </Stack>
  )
}
