/** The scanner's settings kept with the station, for the next device that stands there. */
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDevice } from '#ui/device/device-storage.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { saveScannerProfile, useScannerProfile } from '#ui/scanner/handlers.tsx'
import { profileFrom } from '#ui/scanner/scanner-profile.ts'
import { stations } from './stations.contract.ts'

export function StationScanner() {
  const t = useT()
  const station = useDevice('packingStation')
  const profile = useScannerProfile()
  const list = useCall(stations.list, {})
  const save = useSend(stations.saveScanner, {
    refreshes: [stations.list],
    said: t('The scanner is kept with the station'),
  })
  if (!station) return null
  const kept = list.data?.find(one => one.name.toLowerCase() === station.toLowerCase())?.scanner
  return (
    <Paper p="md" maw={720}>
      <Stack gap="md">
        <Title order={3} size="h4">
          {t('Keep with {{station}}', { station })}
        </Title>
        <Text>{t('These settings stay on this device. Kept with the station, another device can take them over.')}</Text>
        <Group gap="sm">
          <Button
            variant="default"
            loading={save.isPending}
            onClick={() => save.mutate({ name: station, body: { scanner: { ...profile } } })}
          >
            {t('Keep with the station')}
          </Button>
          <Button
            variant="default"
            {...disabledBecause(!kept && t('Nothing is kept with this station yet'))}
            onClick={() => {
              if (!kept) return
              saveScannerProfile(profileFrom(kept))
              toastSuccess(t('The scanner is set as the station has it'))
            }}
          >
            {t('Use station settings')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
