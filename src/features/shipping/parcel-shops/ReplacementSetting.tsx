/** What happens to an order whose parcel shop is closed or full when its label is made. */
import { Radio, Stack } from '@mantine/core'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { type Received, send, useCall, useCommand } from '#ui/query/calls.ts'
import { parcelShops } from './parcel-shops.contract.ts'

type Mode = Received<typeof parcelShops.replacement>['mode']

export function ReplacementSetting() {
  const t = useT()
  const settings = useCall(parcelShops.replacement, {}, { live: ['courier_settings'] })
  const save = useCommand((body: { mode: Mode; version: number }) => send(parcelShops.saveReplacement, { body }), {
    refreshes: [parcelShops.replacement],
    said: () => t('Saved'),
  })
  return (
    <QueryState of={settings} shape="form">
      {({ mode, version }) => (
        <Radio.Group
          label={t('Closed or full parcel shop')}
          description={t('Found before the label is printed. The template “Parcel shop changed” tells the recipient.')}
          value={mode}
          onChange={value => save.mutate({ mode: value === 'nearest' ? 'nearest' : 'ask', version })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="ask" label={t('Ask at the station')} disabled={save.isPending} />
            <Radio value="nearest" label={t('Take the nearest one that is open')} disabled={save.isPending} />
          </Stack>
        </Radio.Group>
      )}
    </QueryState>
  )
}
