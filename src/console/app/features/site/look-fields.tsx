/** The fields of the look of a site, or of one of its spaces. */
import { useState } from 'react'
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

type SiteFont = (typeof SITE_FONTS)[number]

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
export function StyleFields({ form: { values, set } }: FieldsProps) {
  const { styling } = values
  const headingFont = styling.headingFont ?? ''
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
      {typeof styling.font === 'string' && (
        <ChoiceField
          label={t('site.font')}
          value={styling.font}
          onChange={(font) => style({ font })}
          options={fontOptions(styling.font)}
        />
      )}
      {typeof headingFont === 'string' && (
        <ChoiceField
          label={t('site.font-headings')}
          value={headingFont}
          onChange={(font) => style({ headingFont: font === '' ? null : font })}
          options={[['', t('site.font-text')], ...fontOptions(headingFont)]}
        />
      )}
    </>
  )
}

/** The fonts to choose from, and the one that is chosen, with their names. */
const fontOptions = (chosen: SiteFont | ''): [SiteFont, string][] =>
  [...new Set([...(chosen === '' ? [] : [chosen]), ...FONTS])].map((font) => [
    font,
    font.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' '),
  ])

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
