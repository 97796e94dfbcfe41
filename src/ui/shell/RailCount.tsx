/** How much of a page waits for somebody, at the end of its entry in the rail; in the slim rail a dot. */
import { number } from '#ui/kit/format.ts'
import style from './Shell.module.css'

const most = 99

/** `words` say what is counted, with the exact number. Nothing is shown of nothing. */
export const RailCount = ({ count, words }: { count: number | undefined; words: string }) =>
  count ? (
    <b className={style.railCount} title={words} aria-label={words} role="img">
      {count > most ? `${number(most)}+` : number(count)}
    </b>
  ) : null
