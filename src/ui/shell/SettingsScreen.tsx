/** The settings without a page: their list where it stands alone, the first of them where it stands beside the page. */
import { useMediaQuery } from '@mantine/hooks'
import { useEffect } from 'react'
import { Page } from '#ui/kit/Page.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useNavigate } from '#ui/kit/url-state.ts'
import { SettingsList, useSettingsGroups } from './SettingsList.tsx'
import style from './Shell.module.css'

const narrow = '(max-width: 62em)'

export function SettingsScreen() {
  const t = useT()
  const go = useNavigate()
  const alone = useMediaQuery(narrow, window.matchMedia(narrow).matches)
  const first = useSettingsGroups()[0]?.pages[0]?.path
  // biome-ignore lint/correctness/useExhaustiveDependencies: the way there is the same at any time
  useEffect(() => {
    if (!alone && first) go(first, {}, { replace: true })
  }, [alone, first])
  return (
    <Page title={t('Settings')} narrow>
      {alone ? (
        <div className={style.settingsAlone}>
          <SettingsList />
        </div>
      ) : null}
    </Page>
  )
}
