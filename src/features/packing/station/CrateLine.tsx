/** The suggested box of the open order in one line, and how to pack it when asked for. Without a suggestion there is no line. */
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useContext, useEffect, useState } from 'react'
import { CratePile } from '#features/shipping/crate-choice/CratePile.tsx'
import { crateChoice } from '#features/shipping/crate-choice/crate-choice.contract.ts'
import type { SuggestedCrates } from '#features/shipping/crate-choice/crate-choice.schemas.ts'
import { percent, weight } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { PackedOrder } from './packed-order.client.ts'

export function CrateLine() {
  const t = useT()
  const order = useContext(PackedOrder)
  const order_id = order?.order_id ?? 0
  const suggestion = useCall(crateChoice.preview, { body: { order_id } }, { enabled: order_id > 0, fresh: 600_000 })
  const { refetch } = suggestion
  const parcel_no = order?.session?.parcel_no ?? 1
  // What a full parcel holds goes into no other one.
  useEffect(() => {
    if (parcel_no > 1) void refetch()
  }, [parcel_no, refetch])
  if (order?.crate)
    return (
      <Group gap="xs" component="section" aria-label={t('Box')}>
        <Text fw={600} fz="lg">
          {order.crate.name}
        </Text>
        <Badge variant="light" color="moss">
          {t('Scanned')}
        </Badge>
      </Group>
    )
  if (!suggestion.data || suggestion.data.crates.length === 0) return null
  return <Suggested key={order_id} of={suggestion.data} parcel_no={parcel_no} />
}

function Suggested({ of: { status, crates, lines }, parcel_no }: { of: SuggestedCrates; parcel_no: number }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const drawn = crates.filter(one => one.items.length > 0)
  return (
    <Stack gap="xs" component="section" aria-label={t('Box')}>
      {crates.map((one, place) => (
        // Parcels of one suggestion have no other identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: a new suggestion replaces all of them
        <Group key={place} gap="xs">
          {crates.length > 1 ? <Text c="dimmed">{t('Parcel {{number}}', { number: parcel_no + place })}</Text> : null}
          <Text fw={600} fz="lg">
            {one.crate.name}
          </Text>
          <Text fz="lg">
            {[
              one.fill_percent === null ? null : t('{{percent}} full', { percent: percent(one.fill_percent / 100) }),
              one.weight_g === null ? null : weight(one.weight_g),
            ]
              .filter(part => part !== null)
              .join(' · ')}
          </Text>
          {status === 'learned' ? <Badge variant="light">{t('Learned')}</Badge> : null}
          {status === 'rule' ? <Badge variant="light">{t('By a rule')}</Badge> : null}
          {status === 'estimate' ? <Badge variant="light">{t('Estimate')}</Badge> : null}
        </Group>
      ))}
      {drawn.length > 0 ? (
        <>
          <Group>
            <Button variant="subtle" color="gray" size="compact-sm" aria-expanded={open} onClick={() => setOpen(!open)}>
              {t('How to pack it')}
            </Button>
          </Group>
          {open
            ? drawn.map((one, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a new suggestion replaces all of them
                <CratePile key={place} crate={one} lines={lines} />
              ))
            : null}
        </>
      ) : null}
    </Stack>
  )
}
