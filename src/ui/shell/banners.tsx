/** Banners over the page: the connection is gone, a newer version is there. */
import { Button } from '@mantine/core'
import { IconCloudOff, IconMapPinExclamation, IconRefresh } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { time } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useOfferedScreens } from '#ui/navigation/menu.ts'
import { reloadIntoNewVersion, useNewerVersion } from '#ui/query/app-config.ts'
import { lastMessageAt, useConnection } from '#ui/query/change-stream.ts'
import { useSession } from '#ui/query/session.ts'
import style from './Shell.module.css'

/** A short gap (a deploy, a lift) is not worth a banner. */
const grace = 4000

/** How old the shown data may be, while nothing new arrives. */
export function OfflineBanner() {
  const t = useT()
  const connection = useConnection()
  const [shown, setShown] = useState(false)
  // The outside system is the clock.
  useEffect(() => {
    if (connection !== 'lost') {
      setShown(false)
      return
    }
    const timer = setTimeout(() => setShown(true), grace)
    return () => clearTimeout(timer)
  }, [connection])
  if (!shown) return null
  return (
    <div className={`${style.banner} ${style.bannerSoon}`} role="status">
      <IconCloudOff size={16} />
      <span>
        {t('No connection to the server. You see what was known at {{time}}; it reconnects automatically.', {
          time: time(lastMessageAt()),
        })}
      </span>
    </div>
  )
}

/** A newer version waits for a safe moment; this button makes one. */
export function NewVersionBanner() {
  const t = useT()
  const newer = useNewerVersion()
  if (!newer) return null
  return (
    <div className={`${style.banner} ${style.bannerLine}`} role="status">
      <IconRefresh size={16} />
      <span>
        {t('New version ready')}
        <span className={style.bannerDetail}> · {t('It loads at your next step, when nothing is open.')}</span>
      </span>
      <Button size="compact-sm" variant="default" onClick={() => void reloadIntoNewVersion(location.href, true)}>
        {t('Load now')}
      </Button>
    </div>
  )
}

/** Shown before the first parcel is packed, to people who can mend it. */
export function SenderBanner({ path }: { path: string }) {
  const t = useT()
  const missing = useSession()?.init.settings.sender_missing ?? false
  const settings = useOfferedScreens().find(screen => screen.path === '/settings/company-config')
  if (!missing || !settings || path === settings.path) return null
  return (
    <div className={`${style.banner} ${style.bannerSoon}`} role="status">
      <IconMapPinExclamation size={16} />
      <span>{t('Labels cannot be made yet: the address of the sender is not complete.')}</span>
      <Button component={Link} to={settings.path} size="compact-sm" variant="default">
        {t('Enter the address')}
      </Button>
      {path === '/settings/first-steps' ? null : (
        <Button component={Link} to="/settings/first-steps" size="compact-sm" variant="subtle">
          {t('All first steps')}
        </Button>
      )}
    </div>
  )
}
