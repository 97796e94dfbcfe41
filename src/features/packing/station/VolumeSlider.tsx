/** The volume of the station's sounds: its button, opened, with the slider below. */
import { ActionIcon, Popover, Slider } from '@mantine/core'
import type { ReactNode } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { saveScannerProfile, useScanner, useScannerProfile } from '#ui/scanner/handlers.tsx'

export default function VolumeSlider({ icon }: { icon: ReactNode }) {
  const t = useT()
  const { volume } = useScannerProfile()
  const { play } = useScanner()
  return (
    <Popover position="bottom-end" width={220} defaultOpened>
      <Popover.Target>
        {/* It takes the place of the button that was pressed, and so its focus. */}
        <ActionIcon size="lg" aria-label={t('Volume')} title={t('Volume')} autoFocus>
          {icon}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Slider
          label={value => `${value} %`}
          thumbLabel={t('Volume')}
          value={Math.round(volume * 100)}
          step={10}
          onChange={value => saveScannerProfile({ volume: value / 100 })}
          onChangeEnd={() => play('ok')}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
