/** The Chinese words of the source of pages. */
export const SOURCE_CHINESE: Readonly<Record<string, string>> = {
  Source: '源代码',
  'Form of the page': '页面形式',
  'Source of the page': '页面的源代码',
  'You may read this page, but not change it.': '你可以阅读此页面，但不能修改。',
  'The source cannot be shown': '无法显示源代码',
  Find: '查找',
  Replace: '替换为',
  next: '下一个',
  previous: '上一个',
  all: '全部',
  'match case': '区分大小写',
  regexp: '正则表达式',
  'by word': '全词匹配',
  replace: '替换',
  'replace all': '全部替换',
  close: '关闭',
}
