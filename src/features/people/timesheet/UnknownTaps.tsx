/** Taps that a kiosk kept without network and that count for no one. A lead looks at each and writes the entry where one is missing. */

import { Text } from '@mantine/core'
import type { RejectReason } from '#features/people/punch-clock/punch.codes.ts'
import { punchClock } from '#features/people/punch-clock/punch-clock.contract.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { instant } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { type Received, useCall, useSend } from '#ui/query/calls.ts'

type UnknownTap = Received<typeof punchClock.check>['rejected'][number]
const keyOf = (tap: UnknownTap): string => tap.client_id

export function UnknownTapsDrawer({ opened, close }: { opened: boolean; close: () => void }) {
  const t = useT()
  return (
    <Drawer opened={opened} onClose={close} size={640} title={t('Unknown taps')}>
      {opened ? <UnknownTaps /> : null}
    </Drawer>
  )
}

function UnknownTaps() {
  const t = useT()
  const answer = useCall(punchClock.check, {}, { live: ['punch'] })
  const seen = useSend(punchClock.seen, { refreshes: [punchClock.check], said: t('Marked as seen') })
  const why: Record<RejectReason, string> = {
    unknown_badge: t('Unknown badge'),
    wrong_pin: t('Wrong PIN'),
    too_old: t('Older than a day'),
    unsealed: t('Time not signed'),
    already_in: t('Already clocked in'),
    not_in: t('Not clocked in'),
  }
  const columns: Column<UnknownTap>[] = [
    { key: 'at', title: t('Tapped'), cell: tap => instant(tap.estimate ?? tap.received_at) },
    { key: 'number', title: t('Number'), cell: tap => tap.employee_no ?? '–' },
    { key: 'why', title: t('Reason'), flex: 1, cell: tap => why[tap.why] },
  ]
  return (
    <QueryState of={answer} shape="rows">
      {({ rejected }) =>
        rejected.length === 0 ? (
          <Text>{t('Every tap without network belongs to someone.')}</Text>
        ) : (
          <DataTable
            name="unknown-taps"
            label={t('Unknown taps')}
            columns={columns}
            list={staticList(rejected)}
            keyOf={keyOf}
            rowActions={tap => [{ label: t('Mark as seen'), run: () => seen.mutate({ client_id: tap.client_id }) }]}
            card={tap => (
              <RowCard>
                <RowCardLine>
                  <strong>{why[tap.why]}</strong>
                  <span>{tap.employee_no ?? ''}</span>
                </RowCardLine>
                <span>{instant(tap.estimate ?? tap.received_at)}</span>
              </RowCard>
            )}
          />
        )
      }
    </QueryState>
  )
}
