/** Which shipment a new claim is about: found by the number of the parcel or of its order. */
import { Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { ShipmentBadge } from '#features/shipping/labels/shipment.labels.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'

const shown = 10

export function ShipmentChoice({ choose }: { choose: (shipment_id: number) => void }) {
  const t = useT()
  const [typed, setTyped] = useState('')
  const [query] = useDebouncedValue(typed.trim(), 250)
  const found = useCall(labels.search, { query, limit: shown }, { enabled: query.length > 2 })
  return (
    <Stack gap="md">
      <TextInput
        label={t('Parcel or order number')}
        data-autofocus
        maxLength={100}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
      />
      {query.length > 2 ? (
        <QueryState of={found} shape="rows">
          {({ rows }) =>
            rows.length === 0 ? (
              <Text c="dimmed">{t('No shipment has this number.')}</Text>
            ) : (
              rows.map(row => (
                <UnstyledButton key={row.shipment_id} onClick={() => choose(row.shipment_id)}>
                  <RowCard>
                    <RowCardLine>
                      <strong>{row.tracking_no ?? row.reference}</strong>
                      <ShipmentBadge state={row.state} />
                    </RowCardLine>
                    <RowCardLine>
                      <span>{[row.order_no, row.receiver].filter(Boolean).join(', ')}</span>
                    </RowCardLine>
                  </RowCard>
                </UnstyledButton>
              ))
            )
          }
        </QueryState>
      ) : null}
    </Stack>
  )
}
