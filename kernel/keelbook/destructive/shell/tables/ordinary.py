"""Programs whose words are data: no verb among them means anything."""

TABLE = """
[ordinary]
C grep,egrep,fgrep,zgrep,rg,ag,ack,ack-grep,ugrep,pcregrep,ripgrep,sift,look,agrep,pdfgrep
C echo,printf,cat,bat,less,more,most,head,tail,tac,rev,nl,od,hexdump,xxd,strings,wc,cut,paste,\
join,comm
C sort,uniq,tr,expand,unexpand,fold,fmt,column,pr,shuf,seq,factor,expr,bc,dc,test,[,[[,true,false,\
yes
C ls,dir,vdir,exa,eza,lsd,tree,stat,file,du,df,find,locate,mlocate,plocate,which,whereis,whatis,\
apropos
C man,info,help,tldr,cheat,type,hash,whoami,who,w,id,groups,users,last,lastlog,finger,pinky,\
logname,tty
C date,cal,ncal,uptime,uname,hostname,arch,nproc,free,vmstat,iostat,mpstat,sar,top,htop,btop,atop,\
glances
C ps,pstree,pgrep,pidof,lsof,jobs,bg,fg,wait,ulimit,times,getconf,getent,locale,env,printenv,\
sleep,usleep
C mkdir,touch,mktemp,readlink,realpath,basename,dirname,pwd,pathchk,cmp,diff,diff3,sdiff,\
colordiff,delta
C vimdiff,patch,cksum,md5sum,sha1sum,sha224sum,sha256sum,sha384sum,sha512sum,b2sum,shasum,md5,sum
C jq,yq,xq,xmllint,xmlstarlet,xsltproc,html2text,pandoc,tidy,csvcut,csvgrep,csvstat,mlr,miller,\
dasel,gron
C ping,traceroute,tracepath,mtr,dig,nslookup,host,whois,netstat,ss,nmap,tcpdump,tshark,wireshark,\
iperf,iperf3
C curlie,speedtest,arping,ethtool,iwlist,ssh-keyscan,ssh-copy-id,openssl,certigo,pwgen,mkpasswd,\
uuidgen
C lscpu,lsblk,lspci,lsusb,lsmod,lshw,lsns,lsmem,lslogins,blkid,findmnt,mount,mountpoint,dmidecode,\
inxi,hwinfo
C smartctl,sensors,acpi,upower,modinfo,getfacl,lsattr,namei,getcap,getfattr,ldd,ldconfig,nm,\
objdump,readelf,size
C vi,vim,nvim,nano,emacs,emacsclient,micro,ed,code,subl,gedit,kate,open,xdg-open,view,joe,pico,\
mcedit,helix,hx
C gcc,g++,clang,clang++,cc,c++,ld,as,ar,ranlib,tcc,rustc,javac,scalac,kotlinc,ghc,ocamlc,tsc,swc,\
esbuild
C webpack,rollup,vite,parcel,babel,node-gyp,sass,postcss,tailwindcss,typedoc,jsdoc,sphinx-build,\
mkdocs,doxygen
C pylint,flake8,bandit,pyright,pyflakes,pydocstyle,coverage,pyinstaller,cython,ipython,sqlfluff,\
yamllint
C shellcheck,shfmt,hadolint,actionlint,markdownlint,codespell,vale,cspell,semgrep,gitleaks,\
trufflehog,trivy,grype
C ffmpeg,ffprobe,ffplay,sox,play,rec,lame,flac,oggenc,mplayer,mpv,vlc,aplay,arecord,pactl,amixer,\
convert,magick
C identify,montage,compare,inkscape,gimp,dot,gnuplot,feh,imv,pdftotext,pdfinfo,pdftk,qpdf,gs,\
ps2pdf,pdflatex
C xelatex,lualatex,latexmk,bibtex,tex,latex,youtube-dl,yt-dlp,gallery-dl,lynx,links,w3m,elinks
C zipinfo,zcat,zless,zmore,bzcat,xzcat,lz4cat,unlzma,cpio,file-roller,split,csplit,iconv,uconv,\
recode
C base64,base32,uuencode,uudecode,crc32,tee,pv,xclip,xsel,pbcopy,pbpaste,wl-copy,wl-paste,\
notify-send,say,espeak
C banner,figlet,toilet,cowsay,fortune,sl,lolcat,cmatrix,neofetch,fastfetch,screenfetch,tput,stty,\
reset,clear
C mail,mailx,mutt,sendmail,msmtp,swaks,write,wall,mesg,talk,irssi,weechat,gnome-screenshot,scrot,\
maim
C tig,lazygit,gitk,gitui,ctags,cscope,cloc,tokei,scc,hyperfine,strace,ltrace,perf,valgrind,gdb
C javap,jar,jps,jstack,jmap,jstat,jcmd,jconsole,visualvm,nodeenv,virtualenv,venv
C fzf,sk,peco,dmenu,rofi,zenity,kdialog,dialog,whiptail,gum
C shopt,bind,complete,compgen,compopt,enable,builtin,caller,dirs,let,logout,exit,return,break,\
continue,getopts
C umask,suspend,autoload,zmodload,setopt,unsetopt,emulate,bindkey,zstyle,compinit,fc,export,readonly
C dumpcap,editcap,mergecap,capinfos,airshare,magic-wormhole,wormhole,croc,qrencode,zbarimg,\
xmodmap,xinput
C print,puts,wcurl
C rspec,phpunit,pest,busted,bats,prove,ctest,gtest,k6,locust,ab,wrk,hey,vegeta,siege,jmeter
"""
