/** Letters that Helvetica lacks and that do not decompose, each with plain letters as its replacement. */

/** Replacement, space, the letters it replaces; entries end with a tab. Latin by the letters' Unicode names, Cyrillic and Greek by sound. */
const TABLE =
  "! ǃ𝼊\t\" ″‶\t' ƾɁɂʔʖʡʢꜢꜣꜤꜥꞋꞌ𝼎ʕᴤᴥꞏьЬъЪ′‵ʹʻʼˈ＇\t'n ŉ\t- ‐‑‒−﹣―\t/ ⁄∕\t2 ƻ\t5 Ƽƽ\tA ȺⱭⱯⱰꞺАΑΆ\ta ɐɑɒᴀᶏᶐẚⱥꬰꭤꞻꬱаαά\tAa Ꜳ\taa ꜳ\t" +
  'Ae Ꞛ\tae ᴁᴂꞛ\tAo Ꜵ\tao ꜵ\tAu Ꜷ\tau ꜷ\tAv ꜸꜺ\tav ꜹꜻ\tAy Ꜽ\tay ꜽ\tB ƁƂɃꞖꞴƄБ\tb ƀƃɓʙᵬᶀꞗꞵƅᴃб\tC ƇȻꜾꞒꟄЋ\tc ƈȼɕʗᴄↄꜿꞓꞔ𝼏𝼝ћ\tCh ЧΧ\t' +
  'ch ʧ𝼗𝼜чχ\tCon Ꝯ\tcon ꝯ\tD ĐƊƋꝹꟇƉДΔ\td đƌƍȡɖɗᴅᴆᵭᶁᶑẟꝺꟈдδ\tdb ȸ\tDj Ђ\tdj ђ\tdum ꝱ\tDz ЏЅ\tdz ʣʥꭦʤ𝼒𝼙џѕ\tE ƎƏƐɆꞫЕЭЀΕΈ\t' +
  'e ǝɇɘəɚɛɜɝɞʚᴇᴈᶒᶓᶔᶕₔⱸⱻꬲꬳꬴꭠꭡеэѐεέ\tEt Ꝫ\tet ꝫ\tF ƑꝻꞘФΦ\tf ᵮᶂⱷꜰꝼꞙꟻꬵɸфφ\tfeng ʩ𝼀\tG ƓƔǤȜꝽꝾꞠꞬꟐГҐΓ\tg ǥȝɠɡɢɣʛᵷᵹᶃꝿꞡꟑꬶ𝼁𝼂гґγ\t' +
  'Gj Ѓ\tgj ѓ\tH ĦⱧⱵꜦꞍꞪꟵ\th ħɥɦɧʜʮʯⱨⱶꜧꞕꟶ\tHv Ƕ\thv ƕ\tI ƗꞼꟾƖИІЍΗΉΙΊΪ\ti ıɨɩɪᴉᵻᵼᶖꞮꟷ𝼚ꞽиіѝηήιίϊΐ\tIs Ꝭ\tis ꝭ\tJ ɈꞲЈ\tj ȷɉɟʄʝᴊј\t' +
  'K ƘⱩꜪꜬꜮꝀꝂꝄꞢꞰКΚ\tk ĸƙʞᴋᶄⱪꜫꜭꜯꝁꝃꝅꞣ𝼃𝼐кκ\tKh Х\tkh х\tKj Ќ\tkj ќ\tL ŁȽⱠⱢꝆꝈꞀꞭЛΛ\tl łƚȴɫɬɭʟᴌᶅⱡꝇꝉꞁꞎꬷꬸꬹ𝼄𝼑𝼓ƛлλ\tLj Љ\tlj љ\tLl Ỻ\t' +
  'll ỻ\tls ʪ\tlum ꝲ\tlz ʫɮ𝼅\tM ƜⱮМΜ\tm ɯɱᴍᴟᵯᶆꟺꟽꟿꬺɰмμ\tmum ꝳ\tN ƝȠꞐꞤНΝ\tn ƞȵɲɳɴᴎᵰᶇꞑꞥꬻнν\tNg Ŋ\tng ŋꬼ𝼇𝼔\tNj Њ\tnj њ\tnum ꝴ\t' +
  'O ƟꝊꝌꞶꟀʘƆОΟΌΩΏ\to ɔɤɵɷᴏᴐᴑᴒᴓᴖᴗᶗⱺꝋꝍꞷꬽꬾꬿ𝼛ꟁꭃꭄоοόωώ\tOe Ꞝ\toe ɶᴔꭀꭁꭂꭢꞝ\tOi Ƣ\toi ƣ\tOo Ꝏ\too ꝏ\tOu Ȣ\tou ȣᴕ\tP ƤⱣꝐꝒꝔПΠ\t' +
  'p ƥᴘᵱᵽᶈꝑꝓꝕꟼпπ\tPs Ψ\tps ψ\tQ ꝖꝘɊ\tq ɋʠꝗꝙꞯ\tqp ȹ\tR ɌⱤꝚꞂꞦƦРΡ\tr ɍɹɺɻɼɽɾɿʀᴙᴚᵲᵳᶉⱹꝛꞃꞧꭅꭆꭉꭋꭌꭨ𝼈𝼕𝼖ʁꭇꭈꭊрρ\tRum Ꝝ\trum ꝝꝵꝶ\t' +
  'S ⱾꞄꞨꟅꟉƧꟖꟘСΣ\ts ȿʂᵴᶊẜẝꜱꞅꞩꟊ𝼞ƨꟗꟙсσς\tSh ƩШ\tsh ʃʆᶋᶘ𝼋𝼌ƪʅꭍш\tShch Щ\tshch щ\tSs ẞ\tT ŦƬƮȾꞆꞱТΤ\tt ŧƫƭȶʇʈᴛᵵⱦꞇ𝼉𝼍ʭтτ\ttc ʨ\tTh ꝤꝦΘ\t' +
  'th ᵺꝥꝧꟓθ\tTs Ц\tts ʦꭧц\ttum ꝷ\tTz Ꜩ\ttz ꜩ\tU ƱꞸɄꞾУЎ\tu ʊᴜᴝᵾᵿᶙꞹꭎꭒʉᴞꭏꞿуў\tUe Ꞟ\tue ᵫꞟ\tui ꭐꭑ\tum ꝸ\tuo ꭣ\tV ƲỼꝞꝨɅВΒ\t' +
  'v ʋʌᴠᶌỽⱱⱴꝟꝩвβ\tVy Ꝡ\tvy ꝡ\tW ǷⱲꟂ\tw ƿʍᴡⱳꟃʬꟕ\tX ꞳΞ\tx ᶍꭓꭔꭕꭖꭗꭘꭙξ\tY ƳɎỾЙЫΥΎΫ\ty ƴɏʎʏỿꭚ𝼆йыυύϋΰ\tYa Я\tya я\tYe Є\tye є\tYi Ї\t' +
  'yi ї\tYo Ё\tyo ё\tYu Ю\tyu ю\tZ ƵȤⱫⱿꝢꟆЗΖ\tz ƶȥɀʐʑᴢᵶᶎⱬꝣзζ\tZh ƷǮƸЖ\tzh ƺǯʒʓᴣᶚ𝼘ƹж\t| ǀǁǂ'

export const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map(
  TABLE.split('\t').flatMap(entry => {
    const [plain = '', letters = ''] = entry.split(' ')
    return [...letters].map(letter => [letter, plain] as const)
  }),
)
