/** Setting a change of a setting back, after which its page shows what is saved now. */
import { useQueryClient } from '@tanstack/react-query'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import { settingChanges } from './setting-changes.contract.ts'

/** The calls whose answers fill forms of settings. A form keeps what it began with, so it has to begin anew. */
const fillsForm =
  /^GET (?:company\/|\w+\/settings$|\w+\/account$|printer_alerts$|alert\/settings\/get$|parcel_shops\/replacement$|salary\/rules$|deadlines\/alarms$|returns\/portal\/offer$|rma\/languages$)/

export function useSetBack() {
  const t = useT()
  const cache = useQueryClient()
  return useSend(settingChanges.setBack, {
    refreshes: [settingChanges.list],
    said: t('Set back'),
    done: () => void cache.resetQueries({ predicate: ({ queryKey: [line] }) => typeof line === 'string' && fillsForm.test(line) }),
  })
}
