/** The fields of the look of a site, or of one of its spaces. */
import { useState } from 'react'
import { useApi } from '../../api/api.ts'
import { SITE_FONTS } from '../../../../core/web/site-fonts.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { SitePath } from '../../api/paths.ts'
import { CheckField, ChoiceField, LineField } from '../../ui/fields.tsx'
import type { FormValues } from '../../ui/form-values.ts'
import { PictureField } from '../../ui/picture-field.tsx'
import { t } from '../../words/words.ts'

type Themed = Schemas['ThemedColor']

/** The settings that the screen changes. The others are sent back as they are. */
export type Look = Omit<Schemas['Customization'], 'themes' | 'styling'> & {
  themes: Partial<Schemas['Customization']['themes']>
  /** Null removes the font of headings, also where a space overrides that of its site. */
  styling: Omit<Styling, 'headingFont'> & { headingFont?: Styling['headingFont'] | null }
}
type Styling = Schemas['Customization']['styling']

interface FieldsProps {
  form: FormValues<Look>
}

type Mode = 'light' | 'dark' | 'system'

/** ABC Favorit is sold, so sites show Inter in its place. */
const FONTS = SITE_FONTS.filter((font) => font !== 'ABCFavorit')

/** The title in the header, which the settings omit if it is that of the site. */
export function HeaderTitleField({ form: { values, replace } }: FieldsProps) {
  return (
    <LineField
      label={t('site.title-header')}
      value={values.title ?? ''}
      onChange={(title) => {
        const { title: _, ...rest } = values
        replace(title === '' ? rest : { ...rest, title })
      }}
      hint={t('site.without-title-site')}
    />
  )
}

/** The theme, and its colours, corners and font. */
export function StyleFields({ form: { values, set }, site }: FieldsProps & { site: SitePath }) {
  const { styling } = values
  const fonts = useFonts(site)
  const style = (changed: Partial<Look['styling']>) => set({ styling: { ...styling, ...changed } })
  return (
    <>
      <ChoiceField
        label={t('site.theme')}
        value={styling.theme}
        onChange={(theme) => style({ theme })}
        options={[
          ['clean', t('site.clean')],
          ['muted', t('site.muted')],
          ['bold', t('common.bold')],
          ['gradient', t('site.gradient')],
        ]}
      />
      <div className="swatches">
        <LineField
          label={t('site.colour-light-mode')}
          type="color"
          value={styling.primaryColor.light}
          onChange={(light) => style({ primaryColor: { ...styling.primaryColor, light } })}
        />
        <LineField
          label={t('site.colour-dark-mode')}
          type="color"
          value={styling.primaryColor.dark}
          onChange={(dark) => style({ primaryColor: { ...styling.primaryColor, dark } })}
        />
      </div>
      <ChoiceField
        label={t('site.corners')}
        value={styling.corners}
        onChange={(corners) => style({ corners })}
        options={[
          ['straight', t('site.straight')],
          ['rounded', t('site.rounded')],
          ['circular', t('site.round')],
        ]}
      />
      <ChoiceField
        label={t('site.font')}
        value={fonts.fontKey(styling.font)}
        onChange={(value) => style({ font: fonts.named(value) ?? styling.font })}
        options={fonts.options(styling.font)}
        hint={t('site.own-fonts')}
      />
      <ChoiceField
        label={t('site.font-headings')}
        value={styling.headingFont ? fonts.fontKey(styling.headingFont) : ''}
        onChange={(value) => style({ headingFont: value === '' ? null : (fonts.named(value) ?? null) })}
        options={[['', t('site.font-text')], ...fonts.options(styling.headingFont)]}
      />
    </>
  )
}

/** A font of a site: one of those that Lectern brings, or one of the organization or of the settings. */
type ChosenFont = Styling['font']

/** The fonts to choose from: those that Lectern brings, and those of the organization. @param site its path below `/v1` */
function useFonts(site: SitePath) {
  const { data } = useApi(`/orgs/${site.split('/')[2] ?? ''}/fonts?limit=1000`)
  const own = data?.items ?? []
  const fontKey = (font: ChosenFont) => (typeof font === 'string' ? font : `own ${font.id}`)
  return {
    fontKey,
    /** The font for a value; undefined for one that is there no more. */
    named(value: string): ChosenFont | undefined {
      const font = own.find(({ id }) => value === `own ${id}`)
      if (!font) return SITE_FONTS.find((name) => name === value)
      const { permissions: _, ...definition } = font
      return definition
    },
    /** Pairs of a value and a name, with those of the font that is chosen. */
    options(chosen: ChosenFont | null | undefined): [value: string, name: string][] {
      const fonts = [...(chosen ? [chosen] : []), ...own, ...FONTS]
      return [...new Map(fonts.map((font) => [fontKey(font), fontName(font)]))]
    },
  }
}

const fontName = (font: ChosenFont) =>
  typeof font === 'string'
    ? font.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    : font.fontFamily

/** The API also says "light" while nothing is chosen. To choose it, one sends it alone. */
const themesWith = (themes: Look['themes'], mode: Mode): Look['themes'] =>
  mode === 'light' && themes.toggeable ? { default: mode } : { ...themes, default: mode }

/** The colour mode of readers who have chosen none, and whether they can choose. @param saved what is stored */
export function ModeFields({ form: { values, set }, saved }: FieldsProps & { saved: Look['themes'] }) {
  const { themes } = values
  const isUnsure = themes === saved && saved.default === 'light'
  return (
    <>
      <ChoiceField
        label={t('site.colour-mode-at-first')}
        value={isUnsure ? '' : (themes.default ?? '')}
        onChange={(mode) => set({ themes: mode === '' ? saved : themesWith(saved, mode) })}
        options={[
          ...(saved.default === 'light' ? [['', t('site.readers-device-unless-light')] as const] : []),
          ['system', t('site.readers-device')],
          ['light', t('common.light')],
          ['dark', t('common.dark')],
        ]}
      />
      {/* The API may say "light" while nothing is chosen, so that whoever changes this chooses a mode too. */}
      <CheckField
        label={t('site.readers-can-choose-light')}
        isChecked={themes.toggeable ?? true}
        onChange={(toggeable) =>
          set({ themes: { default: isUnsure ? 'system' : (themes.default ?? 'system'), toggeable } })
        }
      />
    </>
  )
}

/** The logo, and the icon in the tab of the browser. @param unable why no picture can be uploaded now */
export function PictureFields({
  form: { values, set },
  site,
  unable,
}: FieldsProps & { site: SitePath; unable: string | undefined }) {
  const { header, favicon } = values
  // A logo that is chosen for one mode serves the other too, until that has its own.
  const [hasDark, setHasDark] = useState(header.logo?.dark !== header.logo?.light)
  const setLogo = (part: Partial<Themed>) => {
    const next = { light: header.logo?.light ?? '', dark: header.logo?.dark ?? '', ...part }
    const { logo: _, ...rest } = header
    set({
      header:
        next.light === '' && next.dark === ''
          ? rest
          : { ...rest, logo: { light: next.light || next.dark, dark: next.dark || next.light } },
    })
  }
  return (
    <>
      <PictureField
        label={t('common.logo')}
        site={site}
        unable={unable}
        url={header.logo?.light ?? ''}
        onChange={(light) => setLogo({ light, ...(hasDark ? {} : { dark: light }) })}
      />
      <PictureField
        label={t('site.logo-dark-mode')}
        site={site}
        unable={unable}
        url={header.logo?.dark ?? ''}
        onChange={(dark) => {
          setHasDark(dark !== '')
          setLogo({ dark })
        }}
      />
      <PictureField
        label={t('site.icon-tab-browser')}
        site={site}
        unable={unable}
        url={favicon.icon?.light ?? ''}
        onChange={(url) => set({ favicon: url === '' ? {} : { icon: { light: url, dark: url } } })}
      />
    </>
  )
}

export function CopyrightField({ form: { values, set } }: FieldsProps) {
  return (
    <LineField
      label={t('site.copyright-line-footer')}
      value={values.footer.copyright ?? ''}
      onChange={(copyright) => {
        const { copyright: _, ...rest } = values.footer
        set({ footer: copyright === '' ? rest : { ...rest, copyright } })
      }}
    />
  )
}
