"""Words of forums in the main languages: hints, kept in one place. What they are good for is said elsewhere."""

from __future__ import annotations

CHANGES_SURELY = """
logout log-out log_out signout sign-out sign_out logoff abmelden deconnexion desconectar
delete remove destroy purge trash erase newreply new_reply new-reply multiquote newthread posting
report reporttm warn ban vote upvote downvote rate like unlike thank thankyou react kudos bookmark unfollow
subscribe unsubscribe unwatch markread mark-read mark_read markall
mark-all-read mark_all_read markallread readall markforumsread dismiss approve unaccept
pollvote unfriend sendpage tellafriend
"""
CHANGES_MAYBE = """
reply quote newtopic new-topic new_topic post-new publish compose create add edit update write submit flag block ignore
moderate move merge split lock unlock close reopen pin unpin sticky hide unhide rating love thanks reaction favorite
favourite favorites follow subscription watch notify notifications mark read-all mark_all unread accept solve poll
toggle switch invite friend poke send sendmessage pm email mail mailto attachment download upload collapse expand jump
goto
"""
ELSEWHERE = """
login signin sign-in sign_in log-in log_in register signup sign-up sign_up join lostpassword lost-password password
reset-password recover activate resend account preferences settings usercp ucp controlpanel
search find finduser advanced-search advanced_search rss atom feed feeds syndication xml json api
print printthread printpage printable printview print-view print_view archive wap wap2 imode lofi lo-fi amp mobile pdf
profile profiles user users member members memberlist memberslist u people staff team groups online whosonline
who-is-online stats statistics leaderboard calendar help faq rules terms tos privacy imprint impressum contact cookies
about legal lastpost last-post last_post getlastpost getnewpost newpost new-posts getnew latest last first firstunread
first_unread nextoldest nextnewest prev_next next prev previous older newer random
gallery shop store donate chat app apps admin modcp mcp acp cdn static media css js img images avatar
"""
ACTION_LABELS = r"""
log ?out|sign ?out|abmelden|ausloggen|se déconnecter|déconnexion|cerrar sesión|salir|esci|sair|uitloggen|выход|выйти
wyloguj|退出|登出|注销|ログアウト|로그아웃
reply|quote|report|edit|delete|like|thank|vote|mark .*read|subscribe|follow|watch|antworten|zitieren|melden|bearbeiten
löschen|gefällt mir|abonnieren|répondre|citer|signaler|modifier|supprimer|responder|citar|reportar|editar|borrar
rispondi|cita|segnala|ответить|цитировать|пожаловаться|удалить|回复|引用|举报|编辑|删除|返信|返信する|通報
"""
OTHER_DATES = r"""
join(?:ed| date)|regist(?:ered|riert)|member since|since\b|last (?:seen|visit|active|online|login)
mitglied seit|seit\b|dabei seit|beigetreten|anmeldedatum|inscrit|inscription|membre depuis|depuis le|registrado
miembro desde|desde\b|iscritto|registrato|membro desde|lid sinds|geregistreerd|зарегистрирован|регистрация
на форуме с|dołączył|zarejestrowany|注册|加入|登録日|가입
"""
CHANGES = r"""
(?:last |post |zuletzt )?(?:edited|last edit|modified|updated|changed)\b|(?:zuletzt )?(?:bearbeitet|geändert)
(?:dernière )?(?:modifi(?:é|cation)|édit(?:é|ion))|(?:última )?(?:edi(?:tado|ción|ção)|modificad[ao])
(?:ultima )?modifica|(?:laatst )?(?:bewerkt|gewijzigd)|(?:последнее )?(?:редактирование|изменено|отредактировано)
(?:ostatnio )?(?:edytowan|zmienion)
此帖|本帖|最后编辑|最後編輯|編集|수정
"""
NEXT_LABELS = r"""
next|nächste|weiter|vor|suivant\w*|siguiente|próxim\w|seguinte|successiv\w|avanti|volgende|следующ\w*|вперёд|вперед
następn\w*|nästa|下一页|下一頁|下页|次へ|次|다음|التالي|הבא|»|›|→|>|older|more|load more|show more|mehr
"""
STATES = """
odd even first last new unread read active current selected alt alternate hover online offline sticky locked
highlight open closed bg1 bg2 bg3 row1 row2 trow1 trow2 windowbg windowbg2 alt1 alt2
"""
TIME_UNITS = {
    1: """second seconds sec secs s sekunde sekunden seconde secondes segundo segundos secondo secondi
       сек секунд секунду секунды 秒 秒钟 초""",
    60: "minute minutes min mins minuten minuto minutos minuti мин минут минуту минуты 分 分钟 分鐘 분",
    3600: """hour hours hr hrs h std stunde stunden heure heures hora horas ora ore uur
          час часа часов 小时 小時 時間 시간""",
    86400: """day days d tag tage tagen jour jours día días dia dias giorno giorni dag dagen
           день дня дней 天 日 일""",
    604800: """week weeks w woche wochen semaine semaines semana semanas settimana settimane weken
            неделя недели недель неделю 周 週間 주""",
    2629800: """month months mo monat monate monaten mois mes meses mês mese mesi maand maanden
             месяц месяца месяцев 个月 個月 か月 ヶ月 개월""",
    31557600: """year years y yr yrs jahr jahre jahren an ans année années año años ano anos anno anni jaar
              год года лет 年 년""",
}
TODAY = r"\b(?:today|heute|aujourd['’]hui|hoy|oggi|hoje|vandaag|сегодня|dzisiaj|dziś|idag|i dag)\b|今天|今日|오늘"
YESTERDAY = r"\b(?:yesterday|gestern|hier|ayer|ieri|ontem|gisteren|вчера|wczoraj|igår|i går)\b|昨天|昨日|어제"
DAY_BEFORE = (
    r"\b(?:day before yesterday|vorgestern|avant-hier|anteayer|antes de ayer|l['’]altro ieri|anteontem|eergisteren|"
    r"позавчера|przedwczoraj|i förrgår)\b|前天|一昨日|おととい|그저께"
)
WEEKDAYS = (
    "monday mon montag mo lundi lunes lunedì segunda-feira segunda maandag понедельник пн poniedziałek 星期一 周一",
    "tuesday tue dienstag mardi martes martedì terça-feira terça dinsdag вторник вт wtorek 星期二 周二",
    "wednesday wed mittwoch mercredi miércoles mercoledì quarta-feira quarta woensdag среда среду ср środa 星期三 周三",
    "thursday thu donnerstag jeudi jueves giovedì quinta-feira quinta donderdag четверг чт czwartek 星期四 周四",
    "friday fri freitag vendredi viernes venerdì sexta-feira sexta vrijdag пятница пятницу пт piątek 星期五 周五",
    "saturday sat samstag samedi sábado sabato zaterdag суббота субботу сб sobota 星期六 周六",
    "sunday sun sonntag dimanche domingo domenica zondag воскресенье вс niedziela 星期日 星期天 周日",
)
"""From Monday on."""
NOW = (
    r"\b(?:just now|(?:a )?moments? ago|less than a minute ago|gerade eben|à l['’]instant|ahora mismo|только что)\b|"
    r"刚刚|方才"
)


def alternatives(text: str) -> str:
    """The lines of alternatives as one."""
    return "|".join(text.split("\n")[1:-1])
