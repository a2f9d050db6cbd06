import type { Language } from '../language.ts'

export const assamese: Language = {
  code: "কোড, ক'ড, ক’ড",
  password: 'পাছৱৰ্ড',
  verify: 'সত্যাপন, প্ৰমাণীকৰণ, নিশ্চিতকৰণ',
  signIn: 'লগ ইন, লগইন',
  secret: 'সুৰক্ষা',
  yours: 'আপোনাৰ, এই',
  is: "হৈছে, হ'ল",
  enter: 'দিয়ক, লিখক',
  enterAfter: 'দিয়ক, লিখক',
  time: 'মিনিট*, ঘণ্টা*',
  warns: 'বৈধ, কাকো',
}
